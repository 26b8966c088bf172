/* The example words, as its user runs it, with recordings of tones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/trainer.h"
#include "support/wav.h"

enum { RATE = 8000, DIGITS = 10, FIRST = 4, INDICES = 7, LENGTH = 3000 };

static void put(const char *path, int rate, int digit, int start)
{
    static float samples[LENGTH];
    wav_tone(samples, LENGTH, start, rate, 200 + 300 * digit);
    wav_write(path, rate, LENGTH, samples);
}

/* A digit is a tone, and its recordings begin at different times. */
static void put_recordings(void)
{
    char path[64];
    assert_int_equal(mkdir("tones", 0777), 0);
    for (int digit = 0; digit < DIGITS; ++digit)
        for (int index = FIRST; index < INDICES; ++index) {
            snprintf(path, sizeof path, "tones/%d_tester_%d.wav", digit, index);
            put(path, RATE, digit, 50 * index);
        }
}

static int setup(void **state)
{
    unsetenv("GLNN_WORDS_DIR");
    return folder_enter(state);
}

static void the_program_learns_and_then_listens(void **state)
{
    (void)state;
    put_recordings();
    does("--data tones --epochs 12 --batch 5 --model net.safetensors");
    assert_non_null(strstr(said, "recordings tones: 20 for training, 10 for the test"));
    assert_true(printed("\ntest accuracy ") > 80);
    put("seven.wav", RATE, 7, 120);
    does("--model net.safetensors --listen seven.wav");
    assert_non_null(strstr(said, "seven.wav: 7, with probability "));
    assert_true(printed("with probability ") > 0.2);
    put("fast.wav", 16000, 7, 120);
    fails("--model net.safetensors --listen fast.wav",
          "fast.wav: a rate of 16000 samples per second", "it must be 8000");
    fails("--model net.safetensors --listen absent.wav", "absent.wav", "");
    fails("--model seven.wav --listen seven.wav", "seven.wav", "");
}

static void recordings_that_do_not_fit_are_explained(void **state)
{
    (void)state;
    fails("", "there is no folder data/words with recordings. Get the Free Spoken Digit Dataset",
          "--data or GLNN_WORDS_DIR");
    setenv("GLNN_WORDS_DIR", "elsewhere", 1);
    fails("", "there is no folder elsewhere with recordings", "");
    unsetenv("GLNN_WORDS_DIR");
    assert_int_equal(mkdir("tones", 0777), 0);
    fails("--data tones", "tones: must have a folder of WAV files for each class", "");
    put("tones/1_tester_7.wav", RATE, 1, 0);
    fails("--data tones", "tones: 1 recordings for training and 0 for the test", "from 0 to 4");
    put("tones/1_tester.wav", RATE, 1, 0);
    fails("--data tones", "1_tester.wav: the name has to be {digit}_{speaker}_{index}.wav", "");
    put("tones/word_tester_3.wav", RATE, 1, 0);
    fails("--data tones", "there are recordings of \"word\"", "the digits 0 to 9");
}

static void wrong_command_lines_are_refused(void **state)
{
    (void)state;
    refuses("--listen a.wav", "--listen needs --model", "");
    refuses("--epochs 0", "--epochs", "");
    fails("--model absent/net", "cannot write the file absent/net", "");
    does("--help");
    assert_non_null(strstr(said, "GLNN_WORDS_DIR"));
}

#define IN_WORDS(test) cmocka_unit_test_setup_teardown(test, setup, folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORDS(the_program_learns_and_then_listens),
        IN_WORDS(recordings_that_do_not_fit_are_explained),
        IN_WORDS(wrong_command_lines_are_refused),
    };
    return trainer_find("words") ||
           cmocka_run_group_tests_name("the example words", tests, NULL, NULL);
}
