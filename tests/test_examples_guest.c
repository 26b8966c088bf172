/* The example guest as its user runs it, in a window of the display of the tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <glnn/image.h>

#include "support/folder.h"
#include "support/trainer.h"

#define SMALL "--size 16x16 --side 8 --training 0.01 "

/* The most memory, in KiB, that a program which has ended ever had. */
static long most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

/* The mean distance of colours between the left half of a picture and the right half. */
static double difference_of_halves(const char *path)
{
    int width, height;
    float *pixels;
    double sum = 0.0;
    assert_int_equal(glnn_image_read(path, 3, &width, &height, &pixels), GLNN_OK);
    for (int row = 0; row < 3 * height; ++row)
        for (int x = 0; x < width / 2; ++x) {
            const float *left = &pixels[row * width + x];
            const double apart = (double)(left[0] - left[width / 2]);
            sum += apart < 0.0 ? -apart : apart;
        }
    free(pixels);
    return sum / (3.0 * height * (width / 2));
}

static void the_network_comes_to_look_like_the_image(void **state)
{
    (void)state;
    does("--frames 1 --side 32 --size 320x160 --screenshot first.png");
    does("--frames 150 --side 32 --size 320x160 --screenshot last.png");
    assert_true(printed("frame 100  loss ") < 0.02);
    assert_true(difference_of_halves("last.png") < 0.7 * difference_of_halves("first.png"));
}

/* The program ends with an error if OpenGL reports one in any frame. */
static void ten_thousand_frames_take_no_more_memory_than_a_thousand(void **state)
{
    (void)state;
    does(SMALL "--frames 1000");
    const long before = most_memory();
    does(SMALL "--frames 10000");
    const char *last = strstr(said, "frame 10000 ");
    assert_non_null(last);
    assert_non_null(strstr(last, "textures created 0\n"));
    assert_true(most_memory() - before < 4096);
}

/* Mesa on a display without a GPU has no more than 4.5. */
static void each_version_and_profile_of_opengl_can_be_the_host(void **state)
{
    (void)state;
    for (int minor = 3; minor <= 5; ++minor)
        for (int compatible = 0; compatible < 2; ++compatible) {
            char arguments[128];
            snprintf(arguments, sizeof arguments, SMALL "--frames 3 --opengl 4.%d --profile %s",
                     minor, compatible ? "compatibility" : "core");
            does(arguments);
        }
}

static void a_window_of_one_pixel_and_a_tall_one_are_drawn(void **state)
{
    (void)state;
    does(SMALL "--frames 5 --size 1x1");
    does(SMALL "--frames 5 --size 60x300 --screenshot tall.png");
    assert_true(difference_of_halves("tall.png") > 0.0);
}

static void a_wrong_command_line_is_refused(void **state)
{
    (void)state;
    assert_int_equal(trainer_run("--frames"), EXIT_FAILURE);
    assert_non_null(strstr(said, "guest: usage: "));
    assert_int_equal(trainer_run("--side 0"), EXIT_FAILURE);
    assert_int_equal(trainer_run("--profile other"), EXIT_FAILURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_network_comes_to_look_like_the_image),
        IN_FOLDER(ten_thousand_frames_take_no_more_memory_than_a_thousand),
        IN_FOLDER(each_version_and_profile_of_opengl_can_be_the_host),
        IN_FOLDER(a_window_of_one_pixel_and_a_tall_one_are_drawn),
        IN_FOLDER(a_wrong_command_line_is_refused),
    };
    if (trainer_find("guest") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
