/* The short examples as their reader runs them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glnn/image.h>
#include <glnn/network.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/digits.h"
#include "../examples/common/folder.h"

/* The tables and a program in the source tree; tests run in folders of their own. */
static char throws[PATH_CAPACITY], penguins[PATH_CAPACITY], answer[PATH_CAPACITY];

static void find_program(const char *name)
{
    assert_int_equal(trainer_find(name), 0);
}

static void a_network_reads_digits(void **state)
{
    char text[TEXT_CAPACITY];
    (void)state;
    find_program("mnist_mlp");
    assert_true(digits_write("digits", 1, 1200, 200));
    does("--data digits --epochs 3 --hidden 40 --save m --plot plots");
    assert_non_null(strstr(said, "digits: 1200 for training, 200 for the test"));
    assert_non_null(strstr(said, "28 x 28 pixels - 40 hidden units - 10 outputs, layout"));
    assert_true(printed("\ntest accuracy ") > 80.0);
    read_text("plots/curve.csv", text);
    assert_int_equal(count_lines("plots/curve.csv"), 4);
    assert_non_null(strstr(text, "epoch,step,rate,training_loss,training_accuracy"));
    assert_int_equal(access("plots/confusion.csv", R_OK), 0);
    assert_int_equal(access("plots/weights.png", R_OK), 0);
    find_program("train");
    const double accuracy = printed("\ntest accuracy ");
    does("--load m --data digits");
    assert_true(printed("test accuracy ") == accuracy);
}

static void the_same_seed_prints_the_same_figures(void **state)
{
    char first[TEXT_CAPACITY];
    (void)state;
    find_program("mnist_mlp");
    assert_true(digits_write("digits", 1, 300, 50));
    does("--data digits --epochs 1 --seed 7");
    snprintf(first, sizeof first, "%s", strstr(said, "\ntest images"));
    does("--data digits --epochs 1 --seed 7");
    assert_string_equal(first, strstr(said, "\ntest images"));
    does("--data digits --epochs 1 --seed 8");
    assert_string_not_equal(first, strstr(said, "\ntest images"));
}

static void a_reader_of_digits_refuses_what_it_cannot_use(void **state)
{
    (void)state;
    find_program("mnist_mlp");
    fails("--data nowhere", "nowhere", "train-images");
    write_text("table.csv", "1,2,a\n");
    fails("--data table.csv", "table.csv is a file", "the program train reads tables");
    assert_true(digits_write("digits", 1, 30, 10));
    assert_int_equal(rename("digits/t10k-labels-idx1-ubyte", "digits/train-labels-idx1-ubyte"), 0);
    fails("--data digits", "t10k-labels", "digits");
    assert_true(digits_write("more", 1, 40, 10));
    assert_int_equal(rename("more/t10k-labels-idx1-ubyte", "digits/t10k-labels-idx1-ubyte"), 0);
    fails("--data digits", "train-labels-idx1-ubyte: 10 labels",
          "train-images-idx3-ubyte has 30 images");
    fails("--data digits --save nowhere/m", "nowhere/m", "no folder");
    refuses("--layout paged", "--layout 'paged'", "packed or unpacked");
}

static void a_network_predicts_distances(void **state)
{
    char line[PATH_CAPACITY + 2];
    (void)state;
    find_program("regression");
    snprintf(line, sizeof line, "'%s'", throws);
    does(line);
    assert_non_null(strstr(said, "500 throws, 3 features: speed, angle, height"));
    assert_true(printed("\ntest R^2 ") > 0.995);
    assert_true(printed("root mean squared error ") < 1.5);
    const char *rows = strstr(said, "predicted\n");
    assert_non_null(rows);
    for (int i = 0; i < 5; ++i) {
        double measured, predicted;
        rows = strchr(rows, '\n') + 1;
        assert_int_equal(sscanf(rows, "%lf m %lf m", &measured, &predicted), 2);
        assert_true(predicted > measured - 5.0 && predicted < measured + 5.0);
    }
    fails("missing.csv", "missing.csv", "");
}

/* The mean difference between the upper and the lower half of a picture. */
static double difference(const char *path)
{
    int width, height;
    float *pixels;
    double sum = 0.0;
    assert_int_equal(glnn_image_read(path, 1, &width, &height, &pixels), GLNN_OK);
    const int half = height / 2;
    for (int i = 0; i < half * width; ++i) {
        const double d = (double)pixels[i] - (double)pixels[i + half * width];
        sum += d > 0.0 ? d : -d;
    }
    free(pixels);
    return sum / (half * width);
}

static void a_table_becomes_a_c_program_that_answers(void **state)
{
    char command[2 * PATH_CAPACITY];
    (void)state;
    find_program("table");
    does(penguins);
    assert_non_null(strstr(said, "sex                category  11 missing\n"));
    assert_true(printed("test rows: accuracy ") > 94.0);
    assert_int_equal(access("penguins.safetensors", R_OK), 0);
    snprintf(command, sizeof command, "cc -std=c11 -Wall -Wextra -Werror -I. '%s' penguins.c -lm",
             answer);
    assert_int_equal(system(command), 0);
    assert_int_equal(system("./a.out Biscoe 48.1 14.9 217 5200 male | grep -q ^Gentoo"), 0);
    assert_int_equal(system("./a.out Dream 46.0 18.0 195 '' NA | grep -q ^Chinstrap"), 0);
    assert_int_equal(system("./a.out Biscoe 48,1 14.9 217 5200 male 2>&1 | "
                            "grep -q 'field 2 is not a number: 48,1'"),
                     0);
}

static void an_autoencoder_draws_what_it_has_seen(void **state)
{
    (void)state;
    find_program("autoencoder");
    assert_true(digits_write("digits", 1, 1000, 20));
    does("digits first.png 1");
    const double first = difference("first.png");
    does("digits last.png 5");
    assert_true(printed("epoch  5 of 5   R^2 of the pixels ") > 0.1);
    assert_true(difference("last.png") < 0.9 * first);
    fails("nowhere", "nowhere", "train-images");
}

static void a_network_adds_two_numbers_of_a_sequence(void **state)
{
    (void)state;
    find_program("sequence");
    does("6 3");
    assert_true(printed("epoch  3 of 3   R^2 of the sums ") > 0.7);
    fails("1", "1 times", "choose 2 to 1000");
}

static void a_policy_balances_the_pole(void **state)
{
    (void)state;
    find_program("pole");
    does("30");
    assert_true(printed("round   1   the pole stood for ") < 60);
    assert_true(printed("round  30   the pole stood for ") > 150);
    fails("none", "none", "a number above 0");
}

static void a_network_in_front_repairs_what_sensors_changed(void **state)
{
    (void)state;
    find_program("preprocess");
    does("200");
    assert_true(printed("before the change          accuracy ") > 0.95);
    assert_true(printed("after it                   accuracy ") < 0.6);
    assert_true(printed(" 200 steps of the repair   accuracy ") > 0.95);
    fails("0", "0", "a number above 0");
}

static void a_network_and_its_prototypes_read_digits(void **state)
{
    (void)state;
    find_program("deep_glvq");
    assert_true(digits_write("digits", 1, 1000, 100));
    does("--data digits --epochs 3 --batch 32");
    const double before = printed("before     test accuracy ");
    assert_true(printed("epoch   3  loss ") < printed("epoch   1  loss "));
    assert_true(printed(", test accuracy ") > before); /* of the first epoch */
    fails("--data digits --batch 2000", "1000 images; at least 2000", "train-images");
    refuses("--prototypes 0", "--prototypes", "1");
}

static void both_nets_of_images_of_clothing_learn(void **state)
{
    (void)state;
    find_program("inception");
    assert_true(digits_write("digits", 1, 100, 20));
    does("--data digits --epochs 2 --batch 10");
    assert_non_null(strstr(said, "concatenate           28 x 14 x 14   of layer 3 5 7 9\n"));
    assert_true(printed("epoch  2 of 2   loss ") < printed("epoch  1 of 2   loss "));
    does("--data digits --epochs 1 --net chain");
    assert_non_null(strstr(said, "convolution           44 x  7 x  7   of layer 4\n"));
    refuses("--net alexnet", "--net 'alexnet'", "inception or chain");
}

/* Codes of a few steps fill no shape yet, but the images come nearer. */
static void an_adversarial_autoencoder_draws_a_grid_of_codes(void **state)
{
    int width, height;
    float *pixels;
    (void)state;
    find_program("adversarial");
    assert_true(digits_write("digits", 1, 300, 40));
    does("--data digits --epochs 3 --batch 20");
    assert_true(printed("epoch   3   squared error of a pixel ") <
                printed("epoch   1   squared error of a pixel "));
    assert_int_equal(glnn_image_read("adversarial.png", 1, &width, &height, &pixels), GLNN_OK);
    assert_true(width == 16 * 28 && height == 16 * 28);
    free(pixels);
    fails("--data digits --picture nowhere/a.png", "nowhere/a.png", "no folder");
}

static void a_network_in_cpp_learns_exclusive_or(void **state)
{
    (void)state;
    find_program("xor");
    does("");
    assert_true(printed("0 xor 0 = ") < 0.1 && printed("1 xor 1 = ") < 0.1);
    assert_true(printed("0 xor 1 = ") > 0.9 && printed("1 xor 0 = ") > 0.9);
    assert_non_null(
        strstr(said, "GLNN_E_ARG: glnn_learner_predict: inputs: feature 1 of sample 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_network_reads_digits),
        IN_FOLDER(the_same_seed_prints_the_same_figures),
        IN_FOLDER(a_reader_of_digits_refuses_what_it_cannot_use),
        IN_FOLDER(a_network_predicts_distances),
        IN_FOLDER(a_table_becomes_a_c_program_that_answers),
        IN_FOLDER(an_autoencoder_draws_what_it_has_seen),
        IN_FOLDER(a_network_adds_two_numbers_of_a_sequence),
        IN_FOLDER(a_policy_balances_the_pole),
        IN_FOLDER(a_network_in_front_repairs_what_sensors_changed),
        IN_FOLDER(a_network_and_its_prototypes_read_digits),
        IN_FOLDER(both_nets_of_images_of_clothing_learn),
        IN_FOLDER(an_adversarial_autoencoder_draws_a_grid_of_codes),
        IN_FOLDER(a_network_in_cpp_learns_exclusive_or),
    };
    if (!realpath("examples/throws.csv", throws) ||
        !realpath("examples/table/penguins.csv", penguins) ||
        !realpath("examples/table/answer.c", answer) || trainer_find("mnist_mlp") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
