/* Weights of classes and of samples, on the command line of the trainer. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/random.h"

enum { PATIENTS = 100 };

static char text[TEXT_CAPACITY];

/* Each fifth patient is ill, and most of them look like others. The column `weight` has a number
 * for each of both classes, and stands between the features. */
static void write_patients(const char *path, int healthy, int ill)
{
    uint64_t seed = 3;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("heat,weight,pulse,state\n", file);
    for (int i = 0; i < PATIENTS; ++i) {
        const bool is_ill = i % 5 == 0;
        fprintf(file, "%.3f,%d,%.3f,%s\n",
                (is_ill ? 0.7 : 0.0) + 2 * (double)random_fraction(&seed), is_ill ? ill : healthy,
                (double)random_fraction(&seed), is_ill ? "ill" : "healthy");
    }
    assert_int_equal(fclose(file), 0);
}

/* Trains, and predicts all patients into a file. */
static void learn(const char *data, const char *options, const char *predicted)
{
    char line[512];
    snprintf(line, sizeof line,
             "--data %s --test %s --hidden 4 --epochs 10 --predict %s --save m %s", data, data,
             predicted, options);
    does(line);
}

static int count_ill(const char *path)
{
    int count = 0;
    read_text(path, text);
    for (const char *at = text; (at = strstr(at, "ill")) != NULL; ++at)
        ++count;
    return count;
}

static void a_class_of_more_weight_is_predicted_more_often(void **state)
{
    (void)state;
    write_patients("p.csv", 1, 1);
    learn("p.csv", "--drop weight", "a");
    learn("p.csv", "--drop weight --class-weights ill=5", "b");
    assert_non_null(strstr(said, "weights    'healthy' 1, 'ill' 5\n"));
    assert_true(count_ill("b") > count_ill("a") + 10);
}

static void balanced_classes_count_the_same(void **state)
{
    char first[TEXT_CAPACITY];
    (void)state;
    write_patients("p.csv", 1, 1);
    learn("p.csv", "--drop weight --class-weights balanced", "a");
    assert_non_null(strstr(said, "weights    'healthy' 0.625, 'ill' 2.5\n"));
    read_text("a", first);
    learn("p.csv", "--drop weight --class-weights healthy=0.625,ill=2.5", "b");
    read_text("b", text);
    assert_string_equal(first, text);
}

/* One row in a hundred is ill, which three of eight features tell almost surely. */
static void write_rare(const char *path)
{
    enum { ROWS = 3000, FEATURES = 8 };
    uint64_t seed = 5;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < FEATURES; ++j)
            fprintf(file, "%.3f,",
                    (double)random_fraction(&seed) + (i % 100 == 0 && j < 3 ? 0.6 : 0.0));
        fprintf(file, "%s\n", i % 100 ? "well" : "ill");
    }
    assert_int_equal(fclose(file), 0);
}

static void balanced_weights_of_a_rare_class_train_steadily(void **state)
{
    char line[128];
    (void)state;
    write_rare("r.csv");
    for (int seed = 1; seed <= 5; ++seed) {
        snprintf(line, sizeof line, "--data r.csv --standardise --class-weights balanced --seed %d",
                 seed);
        does(line);
        assert_null(strstr(said, "note: a weight"));
        assert_true(printed("ROC AUC ") > 0.95);
    }
}

static void large_weights_have_a_note_if_they_make_large_steps(void **state)
{
    static const char *const note = "note: a weight of 50 makes steps of sgd that much larger; "
                                    "--optimizer adam, or a lower --rate such as 0.01";
    (void)state;
    write_rare("r.csv");
    does("--data r.csv --class-weights balanced --optimizer sgd --epochs 1");
    assert_non_null(strstr(said, note));
    does("--data r.csv --class-weights balanced --optimizer sgd --rate 0.01 --epochs 1");
    assert_null(strstr(said, "note: a weight"));
    does("--data r.csv --class-weights ill=5 --optimizer sgd --epochs 1");
    assert_null(strstr(said, "note: a weight"));
}

static void samples_have_the_weights_of_their_column(void **state)
{
    char first[TEXT_CAPACITY];
    double loss;
    (void)state;
    write_patients("p.csv", 1, 4);
    learn("p.csv", "--drop weight --class-weights ill=4", "a");
    read_text("a", first);
    loss = printed("\ntest loss ");
    learn("p.csv", "--sample-weights weight", "b");
    read_text("b", text);
    assert_string_equal(first, text);
    assert_true(printed("\ntest loss ") == loss);
    assert_non_null(strstr(said, "2 features, 2 classes"));
    /* The model knows that the column is not a feature, and a table need not have it. */
    does("--load m --data p.csv --predict c");
    read_text("c", text);
    assert_string_equal(first, text);
    assert_int_equal(system("cut -d, -f1,3 p.csv >bare.csv"), 0);
    does("--load m --data bare.csv --predict d");
    read_text("d", text);
    assert_string_equal(first, text);
    /* Without names the position of the column counts. */
    assert_int_equal(system("sed 1d p.csv >plain.csv"), 0);
    learn("plain.csv", "--sample-weights 2", "e");
    read_text("e", text);
    assert_string_equal(first, text);
}

static void targets_of_weight_0_are_not_learnt(void **state)
{
    (void)state;
    write_text("t.csv", "a,w,b\n1,0,90\n2,1,2\n3,1,3\n4,0,80\n5,1,5\n6,1,6\n7,1,7\n8,1,8\n");
    write_text("rest.csv", "a,b\n2,2\n3,3\n5,5\n6,6\n7,7\n8,8\n");
    does("--data t.csv --target b --sample-weights w --test rest.csv --epochs 200 --hidden 8 "
         "--standardise");
    const double error = printed("mean absolute error ");
    does("--data t.csv --target b --drop w --test rest.csv --epochs 200 --hidden 8 --standardise");
    assert_true(4 * error < printed("mean absolute error "));
}

static void weights_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    write_patients("p.csv", 1, 1);
    write_patients("n.csv", -1, 1);
    write_patients("z.csv", 0, 0);
    fails("--data p.csv --class-weights well=1", "no class 'well'", "'healthy' is one");
    fails("--data p.csv --class-weights ill", "'ill'", "NAME=WEIGHT");
    fails("--data p.csv --class-weights balanced,ill=2", "--class-weights: 'balanced' stands alone",
          "it gives the weights of all classes");
    fails("--data p.csv --class-weights ill=2,none", "--class-weights: 'none' stands alone", "");
    fails("--data p.csv --class-weights ill=-1", "'-1' of class 'ill'", "from 0 on");
    fails("--data p.csv --class-weights ill=1,ill=2", "'ill'", "twice");
    fails("--data p.csv --sample-weights mass", "mass", "column");
    fails("--data p.csv --sample-weights state", "'state'", "twice");
    write_text("m.csv", "heat,weight,state\n1,1,a\n2,NA,b\n3,1,a\n4,1,b\n");
    fails("--data m.csv --sample-weights weight", "line 3, column 2 ('weight'): the target is",
          "of --sample-weights, 'weight', the target is the weight of a sample");
    fails("--data n.csv --holdout 0 --sample-weights weight", "training samples: the weight of",
          "is -1");
    fails("--data z.csv --sample-weights weight", "training samples", "above 0");
    refuses("--data p.csv --learner glvq --class-weights balanced", "--class-weights",
            "only networks");
    refuses("--data p.csv --learner svm --sample-weights weight", "--sample-weights",
            "only networks");
    refuses("--data p.csv --target heat --class-weights balanced", "--class-weights", "--target");
    refuses("--load m --data p.csv --class-weights balanced", "--class-weights", "--epochs");
    refuses("--load m --data p.csv --epochs 1 --sample-weights weight", "--sample-weights",
            "--load");
    refuses("--data p.npy --sample-weights weight", "--sample-weights", "CSV");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_class_of_more_weight_is_predicted_more_often),
        IN_FOLDER(balanced_classes_count_the_same),
        IN_FOLDER(balanced_weights_of_a_rare_class_train_steadily),
        IN_FOLDER(large_weights_have_a_note_if_they_make_large_steps),
        IN_FOLDER(samples_have_the_weights_of_their_column),
        IN_FOLDER(targets_of_weight_0_are_not_learnt),
        IN_FOLDER(weights_that_do_not_fit_are_refused),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
