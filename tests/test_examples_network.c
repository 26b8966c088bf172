/* The program train with networks, as its user runs it: classes and numbers from tables, arrays and
 * images. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/support.h"
#include "support/trainer.h"

#include <glnn/image.h>
#include <glnn/npy.h>

#include "../examples/common/digits.h"
#include "../examples/common/mnist.h"
#include "../examples/common/random.h"

static double accuracy(void)
{
    return printed("test accuracy ");
}

/* Columns id, size, age, price and tax, where price is 1000 + 300 size - 20 age, and tax a
 * hundredth of it less size. */
static void write_houses(const char *path, int rows)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("id,size,age,price,tax\n", file);
    for (int i = 0; i < rows; ++i) {
        const int size = 50 + i * 37 % 101, age = i * 13 % 47;
        const double price = 1000.0 + 300.0 * size - 20.0 * age;
        fprintf(file, "%d,%d,%d,%.1f,%.3f\n", i, size, age, price, price / 100 - size);
    }
    assert_int_equal(fclose(file), 0);
}

static void a_network_tells_classes_of_a_table_apart(void **state)
{
    char first[TEXT_CAPACITY], second[TEXT_CAPACITY];
    (void)state;
    write_trees("trees.csv", 40, 1);
    does("--data trees.csv --standardise --hidden 8 --epochs 20 --save m");
    assert_true(accuracy() > 99.0);
    assert_non_null(strstr(said, "network    3-8-3, relu, cross_entropy"));
    /* Columns in another order, and no label. */
    write_text("command",
               "sed 's/,/;/; s/,/;/; s/,.*//; s/\\(.*\\);\\(.*\\);\\(.*\\)/\\3,\\2,\\1/' "
               "trees.csv >bare.csv");
    assert_int_equal(system("sh command"), 0);
    does("--load m --data trees.csv --predict a");
    assert_true(accuracy() > 99.0);
    does("--load m --data bare.csv --predict b");
    assert_non_null(strstr(said, "the test samples have no labels, so nothing was measured"));
    read_text("a", first);
    read_text("b", second);
    assert_string_equal(first, second);
    for (int i = 0; i < 3; ++i)
        assert_non_null(strstr(first, tree_kinds[i]));
}

/* The number in such a line and column of a file. */
static double number_at(const char *path, int line, int column)
{
    char text[TEXT_CAPACITY];
    read_text(path, text);
    const char *at = text;
    for (; line > 0; --line)
        at = strchr(at, '\n') + 1;
    for (; column > 0; --column)
        at = strchr(at, ',') + 1;
    return strtod(at, NULL);
}

static void numbers_are_learnt_and_predicted_in_their_own_units(void **state)
{
    (void)state;
    write_houses("h.csv", 200);
    does(
        "--data h.csv --target price,tax --drop id --standardise --hidden 16 --epochs 60 --save m");
    assert_null(strstr(said, "accuracy"));
    assert_null(strstr(said, " %"));
    const char *second = strstr(said, "test 'tax': ");
    assert_non_null(second);
    assert_true(strtod(strstr(second, "R^2 ") + 4, NULL) > 0.98);
    assert_true(printed("root mean squared error ") < sqrt(0.02 * 8.8e7));
    assert_true(printed("R^2 ") > 0.98);
    does("--load m --data h.csv --predict p --plot plots");
    assert_int_equal(count_lines("p"), 201);
    for (int i = 0; i < 200; i += 7) {
        assert_true(fabs(number_at("p", i + 1, 0) - number_at("h.csv", i + 1, 3)) < 4000);
        assert_true(fabs(number_at("p", i + 1, 1) - number_at("h.csv", i + 1, 4)) < 40);
    }
    write_text("new.csv", "age,size\n10,100\n");
    does("--load m --data new.csv --predict p");
    assert_true(fabs(number_at("p", 1, 0) - 30800) < 2000);
    does("--load m --data h.csv --epochs 2 --rate 0.001");
    assert_true(printed("R^2 ") > 0.98);
}

/* The share of houses whose price is below the predicted one. */
static double share_below(void)
{
    int below = 0;
    for (int i = 0; i < 200; ++i)
        below += number_at("h.csv", i + 1, 3) < number_at("p", i + 1, 0);
    return below / 200.0;
}

static void numbers_are_learnt_with_other_losses(void **state)
{
    (void)state;
    write_houses("h.csv", 200);
    does("--data h.csv --target price --drop id,tax,size --standardise --hidden 4 --epochs 200 "
         "--loss quantile --loss-parameter 0.9 --save m");
    does("--load m --data h.csv --predict p");
    assert_true(fabs(share_below() - 0.9) < 0.06);
    does("--data h.csv --target price --drop id,tax --standardise --hidden 16 --epochs 60 "
         "--loss expression --loss-value 'log(cosh(y - t))' --loss-derivative 'tanh(y - t)' "
         "--save m");
    assert_true(printed("R^2 ") > 0.95);
    does("--load m --data h.csv");
    assert_true(printed("R^2 ") > 0.95);
    fails("--data h.csv --target price --loss expression --loss-value y", "loss_derivative is null",
          "needs it");
}

static void numbers_and_classes_are_not_mixed_up(void **state)
{
    (void)state;
    write_houses("h.csv", 40);
    fails("--data h.csv --label tax", "h.csv", "--target");
    does("--data h.csv --target price --drop id,tax --epochs 1 --save m --hidden 4");
    write_text("image.idx", "x");
    fails("--load m --classify image.idx", "--classify", "targets");
    assert_int_equal(trainer_run("--data h.csv --target price --loss cross_entropy"), 2);
}

static void a_single_class_is_refused_where_classes_are_told_apart(void **state)
{
    static const char *const learners[] = {"kmeans", "gmm", "glvq"};
    char line[96];
    (void)state;
    write_text("o.csv", "1,7,a\n2,5,a\n3,8,a\n4,6,a\n5,9,a\n");
    fails("--data o.csv", "o.csv: the data set has samples of one class only, 'a'",
          "; network needs at least 2 classes");
    fails("--data o.csv --learner svm", "one class only, 'a'", "; svm needs at least 2 classes");
    fails("--data o.csv --learner glvq --lda 1", "one class only, 'a'",
          "; --lda needs at least 2 classes");
    for (size_t i = 0; i < sizeof learners / sizeof *learners; ++i) {
        snprintf(line, sizeof line, "--data o.csv --epochs 1 --learner %s", learners[i]);
        does(line);
    }
    does("--data o.csv --target 1 --drop 3 --epochs 1");
}

static void the_targets_of_a_table_are_those_of_the_model(void **state)
{
    char first[TEXT_CAPACITY], second[TEXT_CAPACITY];
    const float numbers[4] = {1, 2, 3, 4}, labels[2] = {0, 1};
    (void)state;
    write_houses("h.csv", 60);
    does("--data h.csv --target price,tax --drop id --standardise --hidden 8 --epochs 8 --save m");
    does("--load m --data h.csv --target price,tax");
    snprintf(first, sizeof first, "%s", strstr(said, "test 'price'"));
    does("--load m --data h.csv --target tax,price");
    snprintf(second, sizeof second, "%s", strstr(said, "test 'price'"));
    assert_string_equal(first, second);
    fails("--load m --data h.csv --target tax", "--target names 1 column", "2 targets");
    write_text("p.csv", "size,age,price\n100,3,4\n");
    fails("--load m --data p.csv --target price", "--target names 1 column", "2 targets");
    fails("--load m --data p.csv", "only 1 of 2 targets", "p.csv");
    fails("--load m --data h.csv --label price", "--label price", "the model has targets");
    assert_int_equal(glnn_npy_write("x.npy", 2, 2, numbers, 0), 0);
    assert_int_equal(glnn_npy_write("y.npy", 2, 1, labels, 0), 0);
    fails("--load m --data x.npy --labels y.npy", "have labels", "has targets");

    write_trees("trees.csv", 40, 1);
    does("--data trees.csv --standardise --hidden 8 --epochs 1 --save classes");
    fails("--load classes --data trees.csv --target last", "--target", "0 targets");
    does("--load classes --data trees.csv --label none");
    assert_null(strstr(said, "label      "));
    fails("--load classes --data trees.csv --label 99", "label column '99'", "name of the column");
}

static void all_equal_targets_have_no_share_explained(void **state)
{
    (void)state;
    write_text("flat.csv", "a,b\n1,5\n2,5\n3,5\n4,5\n5,5\n6,5\n7,5\n8,5\n");
    does("--data flat.csv --target b --holdout 0.5 --epochs 2 --hidden 2");
    assert_non_null(strstr(said, "no R^2"));
}

static void arrays_and_images_have_as_many_classes_as_they_have(void **state)
{
    const float inputs[12][2] = {{0, 0}, {1, 0}, {0, 1}, {4, 4}, {5, 4}, {4, 5},
                                 {0, 9}, {1, 9}, {0, 8}, {9, 0}, {9, 1}, {8, 0}};
    const float labels[12] = {3, 3, 3, 9, 9, 9, 70, 70, 70, 5, 5, 5};
    (void)state;
    assert_int_equal(glnn_npy_write("x.npy", 12, 2, inputs[0], 0), 0);
    assert_int_equal(glnn_npy_write("y.npy", 12, 1, labels, 0), 0);
    does("--data x.npy --labels y.npy --test x.npy --test-labels y.npy --standardise --hidden 16 "
         "--epochs 60 --batch 4 --predict p");
    assert_non_null(strstr(said, "network    2-16-4"));
    assert_true(accuracy() > 99.0);
    assert_true(number_at("p", 7, 0) == 70);
    assert_true(digits_write("digits", 1, 300, 50));
    does("--data digits --epochs 2 --pca 20 --hidden 20 --save m");
    assert_non_null(strstr(said, "network    20-20-10"));
    does("--load m --data digits");
    fails("--load m --classify digits/" MNIST_TEST_IMAGES, "--classify", "components");
}

static void the_model_of_scaled_pictures_scales_pictures(void **state)
{
    char wanted[TEXT_CAPACITY];
    (void)state;
    assert_true(digits_write("digits", 1, 600, 20));
    does("--data digits --epochs 3 --standardise --hidden 32 --save m --predict p");
    does("--load m --classify digits/" MNIST_TEST_IMAGES);
    read_text("p", wanted);
    for (int i = 0; i < 20; ++i) {
        char line[64];
        snprintf(line, sizeof line, "image %d: class %d ", i, (int)number_at("p", i + 1, 0));
        assert_non_null(strstr(said, line));
    }
}

static void missing_values_become_the_means_of_training(void **state)
{
    (void)state;
    write_text("t.csv", "a,b,k\n1,10,x\n2,20,x\n9,10,y\n8,20,y\n1,20,x\n9,20,y\n2,10,x\n8,10,y\n");
    does("--data t.csv --standardise --hidden 4 --holdout 0 --epochs 5 --save m");
    write_text("n.csv", "a,b\n1,\n1,15\n1,10\n");
    fails("--load m --data n.csv --predict p", "n.csv", "--missing");
    does("--load m --data n.csv --missing fill --predict p");
    assert_non_null(
        strstr(said, "1 missing value of all samples became the mean of the column in training: "));
    assert_int_equal(count_lines("p"), 4);
}

/* A table of the shape of one of the UCI repository: integers from 0 to `most`, and classes that
 * lie in several clusters each and overlap. */
typedef struct shape {
    int rows, features, classes, clusters, most;
    double width; /* of a cluster, where their middles are 1 apart or so */
} shape;

static double normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += random_below(state, 1 << 20) * 0x1p-20;
    return sum;
}

static void write_clusters(const char *path, const shape *of)
{
    enum { CLUSTERS = 128, FEATURES = 64 };
    static double middles[CLUSTERS][FEATURES];
    uint64_t random = 3;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int c = 0; c < of->classes * of->clusters; ++c)
        for (int f = 0; f < of->features; ++f)
            middles[c][f] = normal(&random);
    for (int i = 0; i < of->rows; ++i) {
        const int cluster = random_below(&random, of->classes * of->clusters);
        for (int f = 0; f < of->features; ++f) {
            const double place = middles[cluster][f] + of->width * normal(&random);
            fprintf(file, "%.0f,", fmin(fmax((place / 8 + 0.5) * of->most, 0), of->most));
        }
        fprintf(file, "%c\n", 'A' + cluster % of->classes);
    }
    assert_int_equal(fclose(file), 0);
}

/* The rates that the program chooses are good for each optimizer. Unless all cases are run, each
 * has one of the smaller tables. */
static void adaptive_optimizers_keep_up_with_momentum_by_default(void **state)
{
    static const shape shapes[] = {
        {8000, 16, 26, 4, 15, 0.75}, {6000, 16, 10, 6, 100, 0.9}, {4000, 64, 10, 3, 16, 1.6}};
    static const char *const adaptive[] = {"adam", "rmsprop"};
    char line[128];
    (void)state;
    for (size_t s = all_cases_are_run() ? 0 : 1; s < sizeof shapes / sizeof *shapes; ++s) {
        write_clusters("t.csv", &shapes[s]);
        does("--data t.csv --standardise");
        const double wanted = accuracy();
        for (size_t i = 0; i < 2; ++i) {
            if (!all_cases_are_run() && i + 1 != s)
                continue;
            snprintf(line, sizeof line, "--data t.csv --standardise --optimizer %s", adaptive[i]);
            does(line);
            if (accuracy() < wanted - 1.5)
                fail_msg("table %zu: %s %.2f %%, sgd %.2f %%", s, adaptive[i], accuracy(), wanted);
            print_message("table %zu: %s %.2f %%, sgd %.2f %%\n", s, adaptive[i], accuracy(),
                          wanted);
        }
    }
}

/* 700 rows of 600 features take more than a mebibyte. Some values are missing, and a column numbers
 * the rows. */
static void write_wide(const char *path)
{
    uint64_t random = 3;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("id", file);
    for (int j = 0; j < 600; ++j)
        fprintf(file, ",x%d", j);
    fputs(",kind\n", file);
    for (int i = 0; i < 700; ++i) {
        fprintf(file, "%d", i);
        for (int j = 0; j < 600; ++j) {
            const int value = random_below(&random, 90 + i % 3 * 5);
            if (value > 1)
                fprintf(file, ",%d", value);
            else
                fputs(",NA", file);
        }
        fprintf(file, ",kind %d\n", i % 3);
    }
    assert_int_equal(fclose(file), 0);
}

/* Runs the program without and with a budget: the models and the predictions are the same. */
static void expect_same_models(const char *data, const char *options)
{
    char line[256];
    snprintf(line, sizeof line, "--data %s %s --hidden 8 --epochs 3 --batch 20 --save a", data,
             options);
    does(line);
    assert_null(strstr(said, "\nstream "));
    snprintf(line, sizeof line, "--data %s %s --hidden 8 --epochs 3 --batch 20 --save b --budget 1",
             data, options);
    does(line);
    assert_non_null(strstr(said, "\nstream "));
    assert_non_null(strstr(said, " windows were ready when needed; waited "));
    assert_int_equal(system("cmp a b"), 0);
}

static void tables_and_pictures_stay_in_their_files_within_a_budget(void **state)
{
    (void)state;
    write_wide("wide.csv");
    expect_same_models("wide.csv", "--missing fill --rate 0.00001");
    expect_same_models("wide.csv", "--missing fill --standardise --samples 500");
    does("--load a --data wide.csv --missing fill --predict p");
    does("--load a --data wide.csv --missing fill --predict q --budget 4");
    assert_int_equal(system("cmp p q"), 0);
    fails("--load a --data wide.csv --missing fill --predict q --budget 1",
          "--budget 1: glnn_learner_evaluate: test samples: two windows of 700 samples",
          "; a budget of 4 MiB holds them");

    /* The inputs of 100 components fit the budget. */
    does("--data wide.csv --missing fill --pca 100 --epochs 1 --budget 1");
    assert_null(strstr(said, "\nstream "));
    does("--data wide.csv --missing fill --pca 100 --epochs 1 --save c");
    does("--load c --data wide.csv --missing fill --predict p");
    does("--load c --data wide.csv --missing fill --predict q --budget 4");
    assert_int_equal(system("cmp p q"), 0);

    float pixels[32 * 32];
    char name[32];
    assert_int_equal(system("mkdir -p s/dark s/light"), 0);
    for (int i = 0; i < 400; ++i) {
        for (int p = 0; p < 32 * 32; ++p)
            pixels[p] = (float)((i * 31 + p * 17) % (i % 2 ? 200 : 256));
        snprintf(name, sizeof name, i % 2 ? "s/dark/%d.png" : "s/light/%d.png", i);
        assert_int_equal(glnn_image_write(name, 1, 32, 32, pixels, 0, 255), 0);
    }
    expect_same_models("s", "");
    refuses("--data s --budget -1", "--budget", "-1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_network_tells_classes_of_a_table_apart),
        IN_FOLDER(numbers_are_learnt_and_predicted_in_their_own_units),
        IN_FOLDER(numbers_are_learnt_with_other_losses),
        IN_FOLDER(numbers_and_classes_are_not_mixed_up),
        IN_FOLDER(a_single_class_is_refused_where_classes_are_told_apart),
        IN_FOLDER(the_targets_of_a_table_are_those_of_the_model),
        IN_FOLDER(all_equal_targets_have_no_share_explained),
        IN_FOLDER(arrays_and_images_have_as_many_classes_as_they_have),
        IN_FOLDER(the_model_of_scaled_pictures_scales_pictures),
        IN_FOLDER(missing_values_become_the_means_of_training),
        IN_FOLDER(tables_and_pictures_stay_in_their_files_within_a_budget),
        IN_FOLDER(adaptive_optimizers_keep_up_with_momentum_by_default),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
