/* The example guest as its user sees it, on a display of its own. tests/test_guest_image.c measures
 * what the network learns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "display/user.h"
#include "support/folder.h"
#include "support/trainer.h"

/* The mean difference of red and blue in a half of the window, 0 the left and 1 the right one. A
 * network that has learnt nothing predicts one colour, which is almost grey. */
static double colour_of_half(int half)
{
    int width, height;
    double sum = 0.0;
    float *planes = user_sees(&width, &height);
    for (int i = 0; i < width * height; ++i)
        if (i % width / (width / 2) == half)
            sum += fabs((double)(planes[i] - planes[2 * width * height + i]));
    free(planes);
    return sum / (width / 2 * height);
}

static void the_prediction_comes_to_look_like_the_image(void **state)
{
    (void)state;
    user_starts("");
    user_resizes(320, 180);
    user_reads("frame 200: ");
    const double image = colour_of_half(0), prediction = colour_of_half(1);
    assert_true(image > 0.1);
    assert_true(prediction > 0.7 * image && prediction < 1.3 * image);
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

static void the_network_learns_while_the_window_is_minimised(void **state)
{
    (void)state;
    user_starts("");
    user_resizes(320, 180);
    user_minimises();
    user_reads("frame 100: ");
    user_restores();
    user_sees_a_picture();
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

/* Rounds of 200 moments; at first a pole stands for about 30. */
static void poles_are_balanced_between_frames(void **state)
{
    (void)state;
    user_starts("0 pole");
    user_resizes(320, 180);
    assert_true(strtod(user_reads("frame 300: poles stood for "), NULL) > 100.0);
    user_sees_a_picture();
    user_closes();
    user_sees_the_end();
    assert_int_equal(trainer_run("1 poles"), 1);
    assert_non_null(strstr(said, "`pole` for the poles"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_prediction_comes_to_look_like_the_image),
        IN_FOLDER(frames_go_on_in_windows_of_any_size_and_without_the_focus),
        IN_FOLDER(the_network_learns_while_the_window_is_minimised),
        IN_FOLDER(the_window_can_be_closed_while_programs_are_compiled),
        IN_FOLDER(a_number_of_frames_can_be_given),
        IN_FOLDER(poles_are_balanced_between_frames),
    };
    if (trainer_find("guest") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, user_has_display, user_leaves_display);
}
