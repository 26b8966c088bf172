/* The program train, when the driver loses the device: an object that is loaded before the program
 * says so in place of the driver (support/lost_device.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/support.h"
#include "support/trainer.h"

#include <glnn/train.h>

static const char goes_on[] = " of 12, in a new context, because the device was lost\n";

static int enter(void **state)
{
    trainer_launch_by(
        "sh -c 'LD_PRELOAD=\"${0%/*}/../tests/lost_device.so $LD_PRELOAD\" exec \"$0\" \"$@\"'");
    if (folder_enter(state))
        return 1;
    write_trees("t", 30, 1);
    return 0;
}

/* The device is lost after so many questions, and again after as many of the next contexts. */
static void lose_device_after(int questions, int times)
{
    char list[128] = "";
    for (int used = 0; times > 0; --times)
        used += snprintf(list + used, sizeof list - (size_t)used, "%d ", questions);
    setenv("LOST_DEVICE", list, 1);
}

static int leave(void **state)
{
    unsetenv("LOST_DEVICE");
    trainer_launch_by("");
    return folder_leave(state);
}

/* The questions that a run asks the driver. */
static int questions_of(const char *arguments)
{
    char text[TEXT_CAPACITY];
    setenv("LOST_DEVICE_COUNT", "count", 1);
    unsetenv("LOST_DEVICE");
    does(arguments);
    unsetenv("LOST_DEVICE_COUNT");
    read_text("count", text);
    assert_true(atoi(text) > 0);
    return atoi(text);
}

/* Loses the device of a run at moments of its training. It ends with the model of a run that has
 * not lost it. */
static void expect_same_after(const char *training, const char *says)
{
    char whole[256], part[256];
    snprintf(whole, sizeof whole, "%s --checkpoint c --overwrite --save whole", training);
    snprintf(part, sizeof part, "%s --checkpoint c --overwrite --save part", training);
    const int questions = questions_of(whole), shares = all_cases_are_run() ? 24 : 4;
    for (int i = shares / 2; i <= shares * 3 / 4; ++i) {
        lose_device_after(questions * i / shares, 1);
        does(part);
        if (strstr(said, says) == NULL)
            fail_msg("%s: loss at %d of %d: %s", training, i, shares, said);
        if (system("cmp -s whole part") != 0)
            fail_msg("%s: loss at %d of %d: another model", training, i, shares);
    }
}

static void a_training_goes_on_from_its_checkpoint_after_the_device_was_lost(void **state)
{
    (void)state;
    expect_same_after("--data t --hidden 6 --epochs 12", goes_on);
    expect_same_after("--data t --hidden 6 --epochs 12 --every 4 --validation 0.2 --class-weights "
                      "balanced",
                      goes_on);
}

/* Prototypes are placed before the training, and again. */
static void a_training_begins_again_if_the_device_was_lost_before_the_first_checkpoint(void **state)
{
    (void)state;
    expect_same_after("--data t --learner glvq --epochs 12 --every 1000",
                      "the device was lost before the first checkpoint, so training begins again");
}

static void a_loaded_model_is_loaded_again(void **state)
{
    (void)state;
    does("--data t --hidden 6 --epochs 2 --standardise --save m");
    expect_same_after("--data t --load m --epochs 12", goes_on);
}

static void a_device_that_is_lost_again_and_again_ends_the_program(void **state)
{
    static const char line[] =
        "--data t --hidden 6 --epochs 12 --checkpoint c --overwrite --every 1000";
    (void)state;
    const int questions = questions_of(line);
    lose_device_after(questions / 2, GLNN_TRAIN_MAX_LOSSES);
    fails(line, "; the device was lost 4 times in a row without a new checkpoint",
          "(GLNN_E_DEVICE_LOST)");
    setenv("LOST_DEVICE", "0", 1);
    fails(line, "glnn_context_create: the driver has reset the device ", "(GLNN_E_DEVICE_LOST)");
}

static void without_a_checkpoint_a_lost_device_ends_the_program(void **state)
{
    static const char line[] = "--data t --hidden 6 --epochs 12";
    (void)state;
    lose_device_after(questions_of(line) / 2, 1);
    fails(line, "glnn_learner_train: the driver has reset the device ", "(GLNN_E_DEVICE_LOST)");
}

#define LOSS_TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOSS_TEST(a_training_goes_on_from_its_checkpoint_after_the_device_was_lost),
        LOSS_TEST(a_training_begins_again_if_the_device_was_lost_before_the_first_checkpoint),
        LOSS_TEST(a_loaded_model_is_loaded_again),
        LOSS_TEST(a_device_that_is_lost_again_and_again_ends_the_program),
        LOSS_TEST(without_a_checkpoint_a_lost_device_ends_the_program),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests_name("examples loss", tests, NULL, NULL);
}
