/* The example live as its user sees it: keys, controls, the sizes of its window, and its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <glnn/image.h>

#include "../examples/common/digits.h"
#include "../examples/window/record.h"

#include "display/user.h"
#include "support/folder.h"
#include "support/trainer.h"

/* A small network on few digits, in a small window: the tests are about the program. */
#define FEW   "--data digits --hidden 16,8 --batch 32 "
#define SMALL FEW "--width 640 --height 400 "

static void write_digits(void)
{
    assert_true(digits_write("digits", 1, 320, 64));
}

static unsigned long step_of(const char *line)
{
    const char *at = strstr(line, "step ");
    assert_non_null(at);
    return strtoul(at + strlen("step "), NULL, 10);
}

static void keys_pause_step_and_continue(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_reads("training: ");
    user_presses("space");
    const unsigned long step = step_of(user_reads("paused: "));
    user_presses("s");
    assert_int_equal(step_of(user_reads("one step: ")), step + 1);
    user_presses("s");
    assert_int_equal(step_of(user_reads("one step: ")), step + 2);
    user_presses("space");
    assert_int_equal(step_of(user_reads("continued: ")), step + 2);
    user_presses("equal");
    assert_non_null(strstr(user_reads("rate changed: "), "rate 0.1,"));
    user_presses("minus");
    assert_non_null(strstr(user_reads("rate changed: "), "rate 0.05,"));
    user_closes();
    assert_true(step_of(user_reads("end: ")) >= step + 2);
    user_sees_the_end();
}

static void the_pointer_works_the_controls(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_reads("training: ");
    user_clicks(80, 53);
    const unsigned long step = step_of(user_reads("paused: "));
    user_clicks(200, 53);
    assert_int_equal(step_of(user_reads("one step: ")), step + 1);
    user_drags(115, 117, 30, 117);
    assert_null(strstr(user_reads("rate changed: "), "rate 0.05,"));
    user_clicks(80, 80);
    assert_int_equal(step_of(user_reads("restarted: ")), 0);
    user_closes();
    user_sees_the_end();
}

static void a_restart_and_other_layouts_and_stages_train_again(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_reads("training: ");
    user_presses("r");
    user_reads("restarted: step 0");
    user_reads("training: ");
    user_presses("l");
    assert_non_null(strstr(user_reads("restarted: step 0"), "layout packed"));
    user_reads("training: ");
    user_presses("t");
    assert_non_null(strstr(user_reads("restarted: step 0"), "stage compute, layout packed"));
    user_reads("training: ");
    user_presses("l");
    assert_non_null(strstr(user_reads("restarted: step 0"), "layout unpacked"));
    user_presses("t"); /* while it is still compiling programs */
    assert_non_null(strstr(user_reads("restarted: step 0"), "stage fragment"));
    user_reads("training: ");
    user_closes();
    user_sees_the_end();
}

static void a_step_is_shown_pass_by_pass(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_reads("training: ");
    user_presses("space");
    const unsigned long step = step_of(user_reads("paused: "));
    user_presses("v");
    assert_int_equal(step_of(user_reads("looked inside: ")), step + 1);
    user_presses("f");
    user_reads("pass 2 of ");
    user_presses("b");
    user_reads("pass 1 of ");
    user_presses("i");
    assert_int_equal(step_of(user_reads("looked inside: ")), step + 2);
    user_presses("l"); /* another network, whose first step follows */
    assert_int_equal(step_of(user_reads("looked inside: ")), 1);
    user_presses("v");
    user_closes();
    user_sees_the_end();
}

static void the_texels_that_a_fragment_fetched_stand_out_under_the_pointer(void **state)
{
    (void)state;
    int width, height;
    write_digits();
    user_starts(FEW "--inside --width 1280 --height 800 --scale 0.5"); /* in pixels, half of them */
    user_reads("looked inside: ");
    user_presses("space");
    user_reads("paused: ");
    user_presses("f");
    user_reads("pass 2 of ");
    user_clicks(600, 200); /* outside of all pictures */
    float *before = user_sees(&width, &height);
    user_clicks(461, 100); /* the output, whose partial products make a narrow picture */
    user_sees_changes(before, 1000);
    user_closes();
    user_sees_the_end();
}

static void training_goes_on_in_a_window_of_one_pixel_and_without_the_focus(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_reads("training: ");
    user_resizes(1, 1);
    user_presses("space");
    const unsigned long step = step_of(user_reads("paused: "));
    user_presses("space");
    user_resizes(900, 300);
    user_looks_away();
    user_resizes(640, 400);
    user_presses("space");
    assert_true(step_of(user_reads("paused: ")) > step);
    user_closes();
    user_sees_the_end();
}

static void training_begins_while_the_window_is_minimised_and_goes_on(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_minimises();
    user_reads("training: ");
    user_restores();
    user_sees_a_picture();
    user_presses("space");
    assert_true(step_of(user_reads("paused: ")) > 0);
    user_closes();
    user_sees_the_end();
}

static void the_window_can_be_closed_before_the_training_and_during_it(void **state)
{
    (void)state;
    write_digits();
    user_starts(SMALL);
    user_closes();
    user_sees_the_end();
    user_starts(SMALL);
    user_reads("compiling programs: ");
    user_closes();
    user_sees_the_end();
    user_starts(SMALL);
    user_reads("training: ");
    user_closes();
    user_sees_the_end();
}

static void check_picture(const char *path, int wanted_width, int wanted_height)
{
    int width, height;
    float *pixels;
    assert_int_equal(glnn_image_read(path, 1, &width, &height, &pixels), GLNN_OK);
    assert_int_equal(width, wanted_width);
    assert_int_equal(height, wanted_height);
    assert_true(pixels[(height - 1) * width + width - 1] > 0.0f);
    free(pixels);
}

static void each_size_and_content_scale_is_drawn(void **state)
{
    (void)state;
    write_digits();
    does(SMALL "--frames 3 --screenshot plain.png");
    check_picture("plain.png", 640, 400);
    does(SMALL "--frames 3 --scale 2 --screenshot large.png");
    check_picture("large.png", 1280, 800);
    does(FEW "--frames 3 --width 1 --height 1 --screenshot pixel.png");
    check_picture("pixel.png", 1, 1);
    does(FEW "--frames 3 --width 90 --height 1100 --screenshot tall.png");
    check_picture("tall.png", 90, 1100);
}

/* The most memory, in KiB, that a program which has ended ever had. */
static long most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

static void many_frames_take_no_more_memory_than_some(void **state)
{
    (void)state;
    write_digits();
    does(FEW "--width 16 --height 16 --training 1 --frames 200");
    const long before = most_memory();
    does(FEW "--width 16 --height 16 --training 1 --frames 800");
    assert_true(most_memory() - before < 4096);
}

static void a_full_record_keeps_every_other_point(void **state)
{
    static record numbers;
    (void)state;
    for (int i = 0; i <= RECORD_POINTS; ++i)
        record_add(&numbers, i, 2.0 * i);
    assert_int_equal(numbers.count, RECORD_POINTS / 2 + 1);
    assert_true(numbers.x[0] == 1.0f && numbers.x[1] == 3.0f && numbers.y[1] == 6.0f);
    assert_true(numbers.x[numbers.count - 1] == (float)RECORD_POINTS);
}

static void wrong_options_and_folders_are_refused_with_a_sentence(void **state)
{
    (void)state;
    refuses("--rate 2", "--rate", "1");
    refuses("--layout paged", "--layout", "unpacked");
    fails("--data nowhere", "nowhere", "train-images");
    write_digits();
    fails(SMALL "--frames 2 --screenshot missing/picture.png", "missing/picture.png", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(keys_pause_step_and_continue),
        IN_FOLDER(the_pointer_works_the_controls),
        IN_FOLDER(a_restart_and_other_layouts_and_stages_train_again),
        IN_FOLDER(a_step_is_shown_pass_by_pass),
        IN_FOLDER(the_texels_that_a_fragment_fetched_stand_out_under_the_pointer),
        IN_FOLDER(training_goes_on_in_a_window_of_one_pixel_and_without_the_focus),
        IN_FOLDER(training_begins_while_the_window_is_minimised_and_goes_on),
        IN_FOLDER(the_window_can_be_closed_before_the_training_and_during_it),
        IN_FOLDER(each_size_and_content_scale_is_drawn),
        IN_FOLDER(many_frames_take_no_more_memory_than_some),
        IN_FOLDER(a_full_record_keeps_every_other_point),
        IN_FOLDER(wrong_options_and_folders_are_refused_with_a_sentence),
    };
    if (trainer_find("live") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, user_has_display, user_leaves_display);
}
