/* The trainers and the files that they write: none is overwritten that the run still needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/folder.h"
#include "../examples/common/mnist.h"

static const char table[] = "1,2,a\n2,3,b\n";

static void assert_untouched(const char *path)
{
    char text[TEXT_CAPACITY];
    read_text(path, text);
    assert_string_equal(text, table);
}

static void no_output_overwrites_an_input(void **state)
{
    static const char *const cases[][2] = {
        {"--learner glvq --data t.csv --epochs 1 --save t.csv", "--data"},
        {"--data t.csv --epochs 1 --save ./sub/../t.csv", "--data"},
        {"--data t.csv --epochs 1 --save link", "--data"},
        {"--data o.csv --test t.csv --predict t.csv", "--test"},
        {"--load t.csv --data o.csv --predict t.csv", "--load"},
        {"--codebook-in t.csv --data o.csv --save t.csv", "--codebook-in"},
        {"--load t.csv --data o.csv --codebook-out t.csv", "--load"},
        {"--data plots/curve.csv --plot plots", "--data"},
        {"--data o.csv --test t.csv --save t.csv", "--test"},
        {"--load o.csv --data t.csv --predict t.csv", "--data"},
        {"--load o.csv --classify t.csv --save t.csv", "--classify"},
        {"--data digits --save digits/" MNIST_TEST_LABELS, "--data"},
    };
    (void)state;
    assert_true(folder_create("sub") && folder_create("plots") && folder_create("digits"));
    write_text("t.csv", table);
    write_text("o.csv", table);
    write_text("plots/curve.csv", table);
    write_text("digits/" MNIST_TEST_LABELS, table);
    assert_int_equal(symlink("t.csv", "link"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        refuses(cases[i][0], cases[i][1], "overwrite");
        assert_untouched("t.csv");
    }
    assert_untouched("plots/curve.csv");
    assert_untouched("digits/" MNIST_TEST_LABELS);
}

static void no_output_overwrites_another(void **state)
{
    (void)state;
    write_text("t.csv", table);
    assert_true(folder_create("plots"));
    refuses("--data t.csv --test t.csv --save same --predict same", "--save", "--predict");
    refuses("--learner glvq --data t.csv --save m --codebook-out ./m", "--save", "--codebook-out");
    refuses("--data t.csv --plot plots --save plots/confusion.png", "--plot", "--save");
    refuses("--data t.csv --test t.csv --save same --predict same", "--save", "--predict");
    assert_int_equal(access("same", F_OK), -1);
}

static void only_a_regular_file_is_replaced(void **state)
{
    (void)state;
    write_text("t.csv", table);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_true(folder_create("sub"));
    fails("--data t.csv --save pipe", "pipe", "cannot write");
    fails("--data t.csv --save /dev/null", "/dev/null", "a device");
    fails("--learner glvq --data t.csv --codebook-out loop", "loop", "cannot write");
    fails("--data t.csv --test t.csv --predict sub", "sub", "a folder");
    assert_null(strstr(said, "epoch"));
}

static void a_class_that_is_no_word_is_refused_before_the_training(void **state)
{
    (void)state;
    write_text("t.csv", "1,2,a b\n2,3,b\n");
    fails("--learner glvq --data t.csv --codebook-out c", "--codebook-out c", "'a b'");
    assert_null(strstr(said, "epoch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(no_output_overwrites_an_input),
        IN_FOLDER(no_output_overwrites_another),
        IN_FOLDER(only_a_regular_file_is_replaced),
        IN_FOLDER(a_class_that_is_no_word_is_refused_before_the_training),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
