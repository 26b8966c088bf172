/* The program train with prototypes, k-means and mixtures, as `make lvq` runs it: on tables of
 * every shape, good and bad. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glnn/npy.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/digits.h"
#include "../examples/common/mnist.h"

static double accuracy(void)
{
    return printed("test accuracy ");
}

static void every_learner_tells_apart_what_lies_apart(void **state)
{
    static const char *const arguments[] = {
        "--learner lvq1",
        "--learner olvq1",
        "--learner lvq2.1",
        "--learner lvq3 --epsilon 0.1 --window 0.2",
        "--learner glvq --xi 10 --init samples",
        "--learner grlvq",
        "--learner gmlvq --rank 2",
        "--learner rslvq --sigma 1",
        "--learner kmeans",
        "--learner gmm",
        "--learner gmm --covariance spherical",
    };
    char line[256];
    (void)state;
    write_trees("trees.csv", 30, 1);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; ++i) {
        snprintf(line, sizeof line, "--data trees.csv --prototypes 2 %s", arguments[i]);
        does(line);
        if (accuracy() < 99.0)
            fail_msg("%s: %s", line, said);
    }
}

static void a_support_vector_machine_is_trained_saved_and_loaded(void **state)
{
    (void)state;
    write_trees("trees.csv", 30, 1);
    does("--data trees.csv --standardise --learner svm --svm-loss squared_hinge --lambda 0.001 "
         "--momentum 0.5 --rate 0.1 --batch 8 --save m --export-c machine.c");
    assert_true(accuracy() >= 99.0);
    assert_non_null(strstr(said, "learner    svm, 3 hyperplanes for 3 classes"));
    does("--load m --data trees.csv");
    assert_true(accuracy() >= 99.0);
    does("--load m --data trees.csv --epochs 2");
}

static void labels_are_texts_in_all_that_is_written(void **state)
{
    char text[TEXT_CAPACITY];
    (void)state;
    write_trees("trees.csv", 20, 1);
    write_trees("more.csv", 5, 2);
    does("--learner glvq --data trees.csv --test more.csv --label kind --predict found --plot "
         "pictures");
    assert_non_null(strstr(said, "60 samples for training, 15 for the test"));
    assert_non_null(strstr(said, "elm, white"));
    assert_int_equal(count_lines("found"), 16);
    read_text("found", text);
    for (int i = 0; i < 3; ++i)
        assert_non_null(strstr(text, tree_kinds[i]));
    read_text("pictures/confusion.csv", text);
    assert_non_null(strstr(text, "label\\predicted,\"ash\",\"elm, white\",\"red oak\"\n"));
    assert_int_equal(access("pictures/curve.csv", R_OK), 0);
}

static void a_saved_classifier_predicts_the_same_without_labels(void **state)
{
    static const char *const arguments[] = {"--learner gmlvq", "--learner olvq1 --pca 2",
                                            "--learner kmeans --prototypes 3",
                                            "--learner gmm --lda 2 --whiten"};
    char line[256], first[TEXT_CAPACITY], second[TEXT_CAPACITY];
    (void)state;
    write_trees("trees.csv", 20, 1);
    write_trees("more.csv", 5, 2);
    write_text("command", "cut -d'\"' -f1 more.csv | sed 's/,$//; s/,kind//' >bare.csv");
    assert_int_equal(system("sh command"), 0);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; ++i) {
        snprintf(line, sizeof line, "--data trees.csv --test more.csv --save m --predict a %s",
                 arguments[i]);
        does(line);
        does("--load m --data bare.csv --label none --predict b");
        read_text("a", first);
        read_text("b", second);
        assert_string_equal(first, second);
        assert_int_equal(count_lines("b"), 16);
    }
    does("--load m --data more.csv");
    assert_true(accuracy() > 99.0);
}

static void a_model_knows_its_columns_and_scale_by_itself(void **state)
{
    char first[TEXT_CAPACITY], second[TEXT_CAPACITY];
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--learner glvq --data trees.csv --standardise --drop constant --save m");
    does("--load m --data trees.csv --predict a");
    read_text("a", first);
    write_text("command", "sed 's/\\(.*\\),\\(.*\\),\\(.*\\),\\(\".*\\|kind\\)$/\\3,\\4,\\2,\\1/' "
                          "trees.csv >other.csv");
    assert_int_equal(system("sh command"), 0);
    does("--load m --data other.csv --predict b");
    assert_true(accuracy() > 99.0);
    read_text("b", second);
    assert_string_equal(first, second);
    assert_int_equal(access("m.classes", F_OK), -1);
    fails("--load m --data trees.csv --header no", "m", "");
}

static void labels_that_a_model_does_not_know_are_an_error_that_names_them(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--learner glvq --data trees.csv --epochs 1 --save m");
    write_text("foreign.csv", "height,width,constant,kind\n0,0,7,birch\n4,4,7,lime\n");
    fails("--load m --data foreign.csv --predict found", "'birch', 'lime'", "'red oak'");
    does("--load m --data foreign.csv --label none --predict found");
    assert_int_equal(count_lines("found"), 3);
    does("--load m --data trees.csv");
    assert_non_null(strstr(said, "60 for the test"));
}

/* Two classes in one place, so that no epoch is much better than another. */
static void write_overlapping(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 60; ++i)
        fprintf(file, "%d,%d,%c\n", i * 37 % 61, i * 23 % 59, "ab"[i % 2]);
    assert_int_equal(fclose(file), 0);
}

/* The epoch of the lowest training loss among those that the latest run printed. */
static int best_epoch(int epochs)
{
    char word[48];
    double least = INFINITY;
    int best = 0;
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        snprintf(word, sizeof word, "epoch %d/%d  loss ", epoch, epochs);
        const double loss = printed(word);
        if (loss < least) {
            least = loss;
            best = epoch;
        }
    }
    return best;
}

static void the_best_epoch_is_kept_on_demand(void **state)
{
    static const char arguments[] =
        "--data o.csv --test o.csv --learner rslvq --batch 4 --rate 0.2 --schedule constant";
    char line[256];
    (void)state;
    write_overlapping("o.csv");
    snprintf(line, sizeof line, "%s --epochs 9", arguments);
    does(line);
    const double last = printed("\n\ntest loss ");
    snprintf(line, sizeof line, "%s --epochs 9 --restore-best", arguments);
    does(line);
    assert_null(strstr(said, "% correct  test loss"));
    const double kept = printed("\n\ntest loss ");
    assert_true(kept != last);
    snprintf(line, sizeof line, "%s --epochs %d", arguments, best_epoch(9));
    does(line);
    assert_true(printed("\n\ntest loss ") == kept);
    does("--learner glvq --data o.csv --epochs 2 --validation 0.25");
    assert_non_null(strstr(said, "% correct  validation loss"));
}

static void training_says_where_it_starts(void **state)
{
    (void)state;
    write_overlapping("o.csv");
    does("--learner glvq --data o.csv --test o.csv --epochs 1 --rate 1e-30 --schedule constant");
    assert_true(printed("start      test loss ") == printed("\n\ntest loss "));
    does("--learner glvq --data o.csv --epochs 1 --holdout 0");
    assert_true(printed("start      training loss ") > 0);
    does("--data o.csv --learner kmeans --epochs 1 --save m");
    assert_null(strstr(said, "start "));
    does("--data o.csv --load m --epochs 1");
    assert_true(printed("start      test loss ") > 0);
}

static void a_variance_floor_keeps_mixtures_wide(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --learner gmm --drop constant --covariance spherical");
    const double narrow = printed("test loss ");
    does("--data trees.csv --learner gmm --drop constant --covariance spherical "
         "--variance-floor 0.5");
    assert_true(printed("test loss ") > narrow + 0.1);
    assert_int_equal(trainer_run("--learner gmm --data trees.csv --variance-floor 1e-7"), 2);
    assert_int_equal(trainer_run("--learner glvq --data trees.csv --variance-floor 0.1"), 2);
}

static void restarts_and_shrinkage_reach_their_learners(void **state)
{
    (void)state;
    write_trees("trees.csv", 60, 1);
    const char *kmeans = "--data trees.csv --learner kmeans --prototypes 5 --restarts ";
    char line[256];
    snprintf(line, sizeof line, "%s0 --epochs 2", kmeans);
    does(line);
    const double alone = printed("test loss ");
    snprintf(line, sizeof line, "%s9 --epochs 20", kmeans);
    does(line);
    assert_true(printed("test loss ") != alone);
    does("--data trees.csv --learner gmm --drop constant --prototypes 3 --shrinkage -1");
    const double plain = printed("test loss ");
    does("--data trees.csv --learner gmm --drop constant --prototypes 3");
    assert_true(printed("test loss ") != plain);
    assert_int_equal(trainer_run("--learner gmm --data trees.csv --restarts 2"), 2);
    assert_int_equal(trainer_run("--learner kmeans --data trees.csv --shrinkage 2"), 2);
}

static void without_gnuplot_the_program_names_the_package(void **state)
{
    char command[512];
    (void)state;
    write_trees("trees.csv", 10, 1);
    snprintf(command, sizeof command, "%s", getenv("PATH") ? getenv("PATH") : "");
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    const int refused = trainer_run("--learner glvq --data trees.csv --epochs 1 --curve c.png");
    assert_non_null(strstr(said, "gnuplot draws --curve c.png"));
    const int status = trainer_run("--learner glvq --data trees.csv --epochs 1 --plot plots");
    assert_int_equal(setenv("PATH", command, 1), 0);
    assert_int_equal(refused, 1);
    assert_int_equal(status, 0);
    assert_non_null(strstr(said, "gnuplot-nox"));
    assert_int_equal(access("plots/curve.csv", R_OK), 0);
}

static void a_saved_classifier_is_trained_further(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--learner glvq --data trees.csv --epochs 1 --save m");
    does("--load m --data trees.csv --epochs 2 --save m");
    assert_non_null(strstr(said, "epoch 2/2"));
    fails("--load m --data missing.csv --epochs 2", "missing.csv", "");
    assert_int_equal(trainer_run("--load m --data trees.csv --learner rslvq"), 2);
}

static void a_class_may_have_fewer_samples_than_prototypes(void **state)
{
    (void)state;
    write_trees("trees.csv", 10, 1);
    FILE *file = fopen("trees.csv", "a");
    assert_non_null(file);
    fputs("-9,-9,7,yew\n-9.5,-9,7,yew\n", file);
    assert_int_equal(fclose(file), 0);
    does("--learner glvq --data trees.csv --prototypes 5");
    assert_non_null(strstr(said, "20 prototypes for 4 classes"));
    does("--data trees.csv --prototypes 5 --learner kmeans");
    assert_non_null(strstr(said, "class 3 has 2 samples for 5 centres"));
    does("--data trees.csv --prototypes 5 --learner gmm");
    assert_non_null(strstr(said, "class 3 has 2 samples for 5 centres"));
    assert_true(accuracy() > 99.0);
}

static void a_constant_feature_disturbs_no_projection(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --pca 2 --whiten --learner gmlvq");
    assert_true(accuracy() > 99.0);
    does("--learner glvq --data trees.csv --lda 2");
    assert_true(accuracy() > 99.0);
    fails("--learner glvq --data trees.csv --pca 3", "3", "2");
}

static void equal_samples_of_two_classes_do_no_harm(void **state)
{
    static const char *const learners[] = {"lvq1",  "olvq1", "lvq2.1", "lvq3",   "glvq",
                                           "grlvq", "gmlvq", "rslvq",  "kmeans", "gmm"};
    char line[128];
    (void)state;
    FILE *file = fopen("same.csv", "w");
    assert_non_null(file);
    for (int i = 0; i < 40; ++i)
        fprintf(file, "%d,%d,%s\n", i / 2 % 4, 1, i % 2 ? "a" : "b");
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; ++i) {
        snprintf(line, sizeof line, "--data same.csv --prototypes 2 --learner %s", learners[i]);
        does(line);
    }
}

static void test_samples_of_an_unknown_class_count_as_wrong(void **state)
{
    char text[TEXT_CAPACITY];
    (void)state;
    write_trees("trees.csv", 20, 1);
    write_text("test.csv", "0,0,7,red oak\n4,4,7,\"elm, white\"\n8,0,7,yew\n8,0,7,ash\n");
    does("--learner glvq --data trees.csv --test test.csv --predict found");
    assert_non_null(strstr(said, "1 of 4 test samples"));
    assert_non_null(strstr(said, "'yew'"));
    assert_true(accuracy() > 74.9 && accuracy() < 75.1);
    read_text("found", text);
    assert_string_equal(text, "class\nred oak\n\"elm, white\"\nash\nash\n");
    /* Also before the training, after each epoch and in the curve. */
    does("--learner glvq --data trees.csv --test test.csv --epochs 1 --curve curve.csv");
    assert_non_null(strstr(strstr(said, "start      test loss "), ", 75.00 % correct"));
    assert_non_null(strstr(strstr(said, "epoch 1/1 "), ", 75.00 % correct  "));
    assert_true(printed("test accuracy ") == 75);
    read_text("curve.csv", text);
    assert_non_null(strstr(text, ",0.75,"));
    does("--learner glvq --data trees.csv --test test.csv --epochs 1 --validation 0.2");
    assert_non_null(strstr(strstr(said, "epoch 1/1 "), "validation loss"));
    assert_non_null(strstr(strstr(said, "  validation loss"), ", 100.00 % correct  "));
    write_text("test.csv", "0,0,7,yew\n");
    fails("--learner glvq --data trees.csv --test test.csv", "'yew'", "'red oak'");
}

static void what_is_no_number_is_named_by_row_and_column(void **state)
{
    float inputs[6][2] = {{0, 0}, {1, 0}, {0, 1}, {4, 4}, {5, 4}, {4, 5}};
    const float labels[6] = {3, 3, 3, 9, 9, 9};
    (void)state;
    write_text("bad.csv", "1,2,a\n3,nan,b\n");
    fails("--learner glvq --data bad.csv", "line 2", "column 2");
    write_text("bad.csv", "1,2,a\n3,,b\n");
    fails("--learner glvq --data bad.csv", "line 2", "column 2");
    assert_int_equal(glnn_npy_write("x.npy", 6, 2, inputs[0], 0), 0);
    assert_int_equal(glnn_npy_write("y.npy", 6, 1, labels, 0), 0);
    does("--learner glvq --data x.npy --labels y.npy --test x.npy --test-labels y.npy --predict "
         "found");
    assert_true(accuracy() > 99.0);
    inputs[4][1] = strtof("nan", NULL);
    assert_int_equal(glnn_npy_write("x.npy", 6, 2, inputs[0], 0), 0);
    fails("--learner glvq --data x.npy --labels y.npy", "x.npy", "row 4, column 1");
    fails("--learner glvq --data x.npy", "x.npy", "");
}

static void missing_values_are_dropped_or_filled_where_that_is_asked_for(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    write_text("test.csv", "kind,constant,width,height\nash,7,?,8\nash,7,0.5,8\n,7,0,0\n");
    fails("--learner glvq --data trees.csv --test test.csv", "line 2, column 3 ('width')",
          "--missing");
    fails("--learner glvq --data trees.csv --test test.csv --missing fill",
          "line 4, column 1 ('kind')", "drop");
    does("--learner glvq --data trees.csv --test test.csv --missing drop");
    assert_non_null(strstr(said, "1 for the test"));
    assert_non_null(strstr(said, "2 rows with missing values were left out"));
    assert_true(accuracy() > 99.0);
    fails("--learner glvq --data trees.csv --test test.csv --missing drop --header no",
          "trees.csv: 3 kinds of problems: line 1", "'height'");
    write_text("test.csv", "width,price\n1,2.5\n2,3\n");
    fails("--learner glvq --data test.csv", "'price'", "--target");
}

static void prototypes_come_from_a_file_of_the_right_dimension_only(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    write_text("good", "3\n0 0 7 oak\n4 4 7 elm\n8 0 7 ash\n");
    write_text("trees", "0,0,7,oak\n4,4,7,elm\n8,0,7,ash\n8,1,7,ash\n");
    does("--data trees --codebook-in good");
    assert_true(accuracy() > 99.0);
    does("--data trees --codebook-in good --epochs 2 --holdout 0 --codebook-out again");
    does("--data trees --codebook-in again");
    write_text("kept", "older");
    write_text("wrong", "2\n0 0 oak\n4 4 elm\n");
    fails("--data trees --codebook-in wrong --codebook-out kept", "wrong", "2 features, but these");
    fails("--data trees.csv --codebook-in good --epochs 1", "elm, white", "does not have");
    read_text("kept", said);
    assert_string_equal(said, "older");
    write_text("wrong", "3\n0 0 7\n");
    fails("--data trees --codebook-in wrong", "wrong", "no labels");
}

static void a_truncated_file_is_an_error(void **state)
{
    const float inputs[4] = {0, 1, 2, 3};
    (void)state;
    write_trees("trees.csv", 10, 1);
    does("--learner glvq --data trees.csv --save m --pca 2");
    assert_int_equal(truncate("m", 300), 0);
    fails("--load m --data trees.csv", "m:", "");
    assert_int_equal(truncate("trees.csv", 60), 0);
    fails("--learner glvq --data trees.csv", "trees.csv", "line");
    assert_int_equal(glnn_npy_write("x.npy", 4, 1, inputs, 0), 0);
    assert_int_equal(truncate("x.npy", 136), 0);
    fails("--learner glvq --data x.npy --labels x.npy", "x.npy", "");
    write_text("codes", "3\n0 0 7 oak\n4 4");
    fails("--data trees.csv --codebook-in codes", "codes", "line 3");
    assert_true(digits_write("digits", 1, 30, 10));
    assert_int_equal(truncate("digits/" MNIST_TRAIN_IMAGES, 5000), 0);
    fails("--learner glvq --data digits", MNIST_TRAIN_IMAGES, "");
}

static void images_become_pictures_of_prototypes(void **state)
{
    (void)state;
    assert_true(digits_write("digits", 1, 300, 50));
    does("--learner glvq --data digits --epochs 2 --plot pictures/of --prototypes 2");
    assert_int_equal(access("pictures/of/prototypes.png", R_OK), 0);
    assert_int_equal(access("pictures/of/confusion.csv", R_OK), 0);
    assert_true(accuracy() > 60.0);
}

static void the_same_seed_gives_the_same_classifier(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--learner glvq --data trees.csv --prototypes 3 --seed 7 --save a");
    does("--learner glvq --data trees.csv --prototypes 3 --seed 7 --save b");
    assert_int_equal(system("cmp a b"), 0);
    does("--learner glvq --data trees.csv --prototypes 3 --seed 8 --save b");
    assert_int_not_equal(system("cmp -s a b"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_learner_tells_apart_what_lies_apart),
        IN_FOLDER(a_support_vector_machine_is_trained_saved_and_loaded),
        IN_FOLDER(labels_are_texts_in_all_that_is_written),
        IN_FOLDER(a_saved_classifier_predicts_the_same_without_labels),
        IN_FOLDER(a_model_knows_its_columns_and_scale_by_itself),
        IN_FOLDER(labels_that_a_model_does_not_know_are_an_error_that_names_them),
        IN_FOLDER(the_best_epoch_is_kept_on_demand),
        IN_FOLDER(training_says_where_it_starts),
        IN_FOLDER(a_variance_floor_keeps_mixtures_wide),
        IN_FOLDER(restarts_and_shrinkage_reach_their_learners),
        IN_FOLDER(without_gnuplot_the_program_names_the_package),
        IN_FOLDER(a_saved_classifier_is_trained_further),
        IN_FOLDER(a_class_may_have_fewer_samples_than_prototypes),
        IN_FOLDER(a_constant_feature_disturbs_no_projection),
        IN_FOLDER(equal_samples_of_two_classes_do_no_harm),
        IN_FOLDER(test_samples_of_an_unknown_class_count_as_wrong),
        IN_FOLDER(what_is_no_number_is_named_by_row_and_column),
        IN_FOLDER(missing_values_are_dropped_or_filled_where_that_is_asked_for),
        IN_FOLDER(prototypes_come_from_a_file_of_the_right_dimension_only),
        IN_FOLDER(a_truncated_file_is_an_error),
        IN_FOLDER(images_become_pictures_of_prototypes),
        IN_FOLDER(the_same_seed_gives_the_same_classifier),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
