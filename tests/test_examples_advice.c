/* The note of the trainer that a CPU should be faster, by given times. */
#include "support/support.h"

#include "../examples/train/advice.h"

static const char *note(double gpu_us, double cpu_us, int count, const char *save,
                        const char *export_c)
{
    static char text[ADVICE_TEXT];
    const glnn_advice advice = {
        .size = sizeof advice, .gpu_us = gpu_us, .cpu_us = cpu_us, .use_gpu = gpu_us < cpu_us};
    advice_write(&advice, count, save, export_c, text);
    return text;
}

static void a_faster_device_has_no_note(void **state)
{
    (void)state;
    assert_string_equal(note(50, 51, 16, "m", "m.c"), "");
}

static void a_slower_device_has_a_note_with_both_times_and_a_command(void **state)
{
    (void)state;
    assert_string_equal(
        note(240, 12.34, 16, NULL, NULL),
        "a training step of 16 samples should take 240 us on this device and 12.3 us in "
        "plain C on the CPU; with '--export-c model.c' the model is written as C "
        "that predicts there");
    assert_string_equal(
        note(50, 50, 1, "m", NULL),
        "a training step of 1 sample should take 50 us on this device and 50 us in plain C "
        "on the CPU; 'train --load m --export-c model.c' writes the model as C "
        "that predicts there");
    assert_string_equal(
        note(2, 1, 2, "m", "digits.c"),
        "a training step of 2 samples should take 2 us on this device and 1 us in plain C "
        "on the CPU; --export-c digits.c writes the model as C that predicts "
        "there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faster_device_has_no_note),
        cmocka_unit_test(a_slower_device_has_a_note_with_both_times_and_a_command),
    };
    return cmocka_run_group_tests_name("examples_advice", tests, NULL, NULL);
}
