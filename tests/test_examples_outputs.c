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

static void no_file_written_along_with_an_output_overwrites_an_input(void **state)
{
    static const char same[] = "name the same file, so the run would overwrite its input";
    static const char *const cases[][2] = {
        {"--data v.csv.1 --checkpoint v.csv --overwrite", "--checkpoint v.csv, which writes v.csv"},
        {"--data v.csv.1 --checkpoint ./sub/../v.csv --resume", "sub/../v.csv.1 and --data"},
        {"--data v.csv.1 --checkpoint link --overwrite", "--checkpoint link, which writes v.csv.1"},
        {"--data link.1 --checkpoint v.csv --overwrite", "which writes v.csv.1 and --data"},
        {"--load v.csv.1 --data o.csv --epochs 1 --checkpoint v.csv --overwrite", "and --load"},
        {"--codebook-in v.csv.1 --data o.csv --epochs 1 --checkpoint v.csv --overwrite",
         "and --codebook-in"},
        {"--data o.csv --test v.csv.glnn-saving-0 --checkpoint v.csv --overwrite", "and --test"},
        {"--data v.csv.glnn-saving-63 --save v.csv", "which writes v.csv.glnn-saving-63"},
        {"--load v.csv.glnn-saving-0 --data o.csv --epochs 1 --save v.csv", "and --load"},
        {"--load v.csv.glnn-saving-0 --data o.csv --predict v.csv", "and --load"},
        {"--data plots/curve.csv.glnn-saving-0 --plot plots", "--plot plots/curve.csv, which"},
    };
    (void)state;
    assert_true(folder_create("sub") && folder_create("plots"));
    write_text("o.csv", table);
    write_text("v.csv.1", table);
    write_text("v.csv.glnn-saving-0", table);
    write_text("v.csv.glnn-saving-63", table);
    write_text("plots/curve.csv.glnn-saving-0", table);
    assert_int_equal(symlink("v.csv", "link"), 0);
    assert_int_equal(symlink("v.csv.1", "link.1"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        refuses(cases[i][0], cases[i][1], same);
    assert_untouched("v.csv.1");
    assert_untouched("v.csv.glnn-saving-0");
    assert_untouched("v.csv.glnn-saving-63");
}

static void no_output_overwrites_a_file_written_along_with_another(void **state)
{
    static const char same[] = "name the same file, so the run would overwrite one output";
    (void)state;
    write_text("t.csv", table);
    assert_true(folder_create("plots"));
    assert_int_equal(symlink("c.1", "link"), 0);
    refuses("--data t.csv --checkpoint c --save c.1", "which writes c.1 and --save", same);
    refuses("--data t.csv --checkpoint c --save link", "which writes c.1 and --save", same);
    refuses("--data t.csv --checkpoint c --curve ./c.1", "which writes c.1 and --curve", same);
    refuses("--data t.csv --checkpoint c --save c.glnn-saving-0",
            "which writes c.glnn-saving-0 and --save", same);
    refuses("--data t.csv --test t.csv --predict p.glnn-saving-5 --metrics p",
            "--metrics p, which writes p.glnn-saving-5 and --predict", same);
    refuses("--data t.csv --plot plots --save plots/confusion.png.glnn-saving-0",
            "--plot plots/confusion.png, which writes", same);
    refuses("--data t.csv --plot plots --checkpoint plots/curve.csv", "--plot", "--checkpoint");
    does("--data t.csv --test t.csv --epochs 1 --checkpoint c --save c.2 --predict "
         "c.glnn-saving-64 --metrics c.1.json");
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
        IN_FOLDER(no_file_written_along_with_an_output_overwrites_an_input),
        IN_FOLDER(no_output_overwrites_a_file_written_along_with_another),
        IN_FOLDER(only_a_regular_file_is_replaced),
        IN_FOLDER(a_class_that_is_no_word_is_refused_before_the_training),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
