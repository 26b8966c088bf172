/* The example guest as its user sees it, on a display of its own. tests/test_guest_image.c measures
 * what the network learns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "display/user.h"
#include "support/folder.h"
#include "support/trainer.h"

/* How much the colours of the left half of the window and of the right half differ in their means
 * and in their mean squares. The cubes are seen from different sides. */
static double difference_of_halves(void)
{
    int width, height;
    double total = 0.0;
    float *planes = user_sees(&width, &height);
    for (int plane = 0; plane < 3; ++plane) {
        double sum = 0.0, squares = 0.0;
        for (int i = plane * width * height; i < (plane + 1) * width * height; ++i) {
            const double sign = i % width < width / 2 ? 1.0 : -1.0, value = (double)planes[i];
            sum += sign * value;
            squares += sign * value * value;
        }
        total += fabs(sum) + fabs(squares);
    }
    free(planes);
    return total / (width * height);
}

static void the_prediction_comes_to_look_like_the_image(void **state)
{
    (void)state;
    double first;
    user_starts("");
    user_resizes(320, 180);
    do /* the first frame takes a while */
        first = difference_of_halves();
    while (first == 0.0);
    user_reads("frame 200: ");
    assert_true(difference_of_halves() < 0.2 * first);
    user_closes();
    user_sees_the_end();
}

/* The program ends with an error if OpenGL reports one in any frame. */
static void frames_go_on_in_windows_of_any_size_and_without_the_focus(void **state)
{
    (void)state;
    user_starts("");
    user_resizes(1, 1);
    user_reads("frame 100: ");
    user_resizes(60, 300);
    user_looks_away();
    user_reads("frame 200: ");
    user_resizes(300, 40);
    user_reads("frame 300: ");
    user_closes();
    user_sees_the_end();
}

static void the_window_can_be_closed_while_programs_are_compiled(void **state)
{
    (void)state;
    user_starts("");
    user_closes();
    user_sees_the_end();
}

static void a_number_of_frames_can_be_given(void **state)
{
    (void)state;
    does("3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_prediction_comes_to_look_like_the_image),
        IN_FOLDER(frames_go_on_in_windows_of_any_size_and_without_the_focus),
        IN_FOLDER(the_window_can_be_closed_while_programs_are_compiled),
        IN_FOLDER(a_number_of_frames_can_be_given),
    };
    if (trainer_find("guest") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, user_has_display, user_leaves_display);
}
