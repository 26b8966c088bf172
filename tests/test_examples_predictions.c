/* Predictions and metrics that the trainer writes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glnn/npy.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/random.h"
#include "../examples/train/json.h"

enum { PATIENTS = 60 };

/* Two classes that overlap, a number to predict, and whole numbers in `dose`. */
static void write_patients(void)
{
    uint64_t seed = 3;
    FILE *file = fopen("p.csv", "w");
    assert_non_null(file);
    fputs("heat,pulse,dose,sick\n", file);
    for (int i = 0; i < PATIENTS; ++i) {
        const double shift = i % 2 ? 1.5 : 0;
        fprintf(file, "%.3f,%.3f,%d,%s\n", shift + 2 * (double)random_fraction(&seed),
                (double)random_fraction(&seed), 1 + i % 3, i % 2 ? "yes" : "no");
    }
    assert_int_equal(fclose(file), 0);
}

/* Trains on all patients, without their doses. */
static void learn(const char *options)
{
    char line[256];
    write_patients();
    snprintf(line, sizeof line,
             "--data p.csv --drop dose --standardise --holdout 0 --epochs 4 --save m %s", options);
    does(line);
}

static char text[TEXT_CAPACITY];

static void assert_begins(const char *path, const char *start)
{
    read_text(path, text);
    if (strncmp(text, start, strlen(start)) != 0)
        fail_msg("%s begins with \"%.200s\", not with \"%s\"", path, text, start);
}

/* The number after a name in a file of JSON. */
static double number_after(const char *path, const char *name)
{
    read_text(path, text);
    const char *at = strstr(text, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

static void assert_json(const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "python3 -m json.tool %s >/dev/null", path);
    assert_int_equal(system(command), 0);
}

static void probabilities_have_a_column_for_each_class(void **state)
{
    (void)state;
    learn("--hidden 4");
    does("--load m --data p.csv --drop dose --predict a.csv --probabilities");
    assert_begins("a.csv", "class,no,yes\n");
    assert_int_equal(count_lines("a.csv"), PATIENTS + 1);
    const char *line = strchr(text, '\n') + 1;
    for (int i = 0; i < PATIENTS; ++i, line = strchr(line, '\n') + 1) {
        double no, yes;
        char class[8];
        assert_int_equal(sscanf(line, "%7[a-z],%lf,%lf\n", class, &no, &yes), 3);
        assert_true(fabs(no + yes - 1) < 1e-5);
        assert_string_equal(class, yes > no ? "yes" : "no");
    }
}

static void tables_without_the_class_are_predicted_and_not_measured(void **state)
{
    char labelled[TEXT_CAPACITY];
    (void)state;
    learn("--hidden 4");
    does("--load m --data p.csv --drop dose --predict a.csv --probabilities");
    read_text("a.csv", labelled);
    assert_int_equal(system("cut -d, -f1,2 p.csv >bare.csv"), 0);
    does("--load m --data bare.csv --predict b.csv --probabilities");
    assert_non_null(strstr(said, "so nothing was measured"));
    read_text("b.csv", text);
    assert_string_equal(text, labelled);
    fails("--load m --data bare.csv --metrics f.json", "--metrics f.json",
          "the test samples have no labels");
}

/* A category, a date, a number and a text of the model, whose label is the second column. */
static void learn_visits(void)
{
    uint64_t seed = 5;
    FILE *file = fopen("v.csv", "w");
    assert_non_null(file);
    fputs("city,kind,day,size,note\n", file);
    for (int i = 0; i < PATIENTS; ++i)
        fprintf(file, "%s,%s,2024-%02d-%02d,%.2f,text %d\n", i % 3 ? "Ulm" : "Kiel",
                i % 2 ? "new" : "old", 1 + i % 12, 1 + i % 28,
                i % 2 + (double)random_fraction(&seed), i);
    assert_int_equal(fclose(file), 0);
    does("--data v.csv --label kind --standardise --hidden 4 --holdout 0 --epochs 4 --save m");
    assert_non_null(strstr(said, "--type 'note=category'"));
}

static void a_loaded_model_takes_the_label_that_it_was_trained_with(void **state)
{
    (void)state;
    learn_visits();
    does("--load m --data v.csv");
    assert_non_null(strstr(said, "label      column 'kind'"));
    assert_null(strstr(said, "--type"));
    does("--load m --data v.csv --label none --predict a.csv");
    read_text("a.csv", text);
    write_text("b.csv", "size,day,city\n0.5,2024-03-04,Ulm\n");
    does("--load m --data b.csv --predict b.out");
    assert_non_null(strstr(said, "so nothing was measured"));
    write_text("b.csv", "size,kind,day,city\n0.5,old,2024-03-04,Ulm\n");
    does("--load m --data b.csv");
    assert_non_null(strstr(said, "label      column 'kind'"));
    write_text("b.csv", "Ulm,2024-03-04,0.5\n");
    does("--load m --data b.csv --header no --predict b.out");
    write_text("b.csv", "Ulm,old,2024-03-04,0.5,x\n");
    does("--load m --data b.csv --header no");
    assert_non_null(strstr(said, "confusion matrix"));
}

static void a_label_whose_place_is_the_name_of_another_column_is_found_by_name(void **state)
{
    (void)state;
    write_text("d.csv", "0,1,2\nx,1.5,2\ny,2.5,4\nx,1.25,1\ny,2.75,5\n");
    does("--data d.csv --header yes --label 0 --holdout 0 --hidden 2 --epochs 1 --save m");
    does("--load m --data d.csv");
    assert_non_null(strstr(said, "label      column '0'"));
}

static void sentences_about_files_for_a_model_name_no_option_that_it_fixes(void **state)
{
    static const struct {
        const char *text, *part, *remedy;
    } cases[] = {
        {"city,day,size\nUlm,2024-01-01,big\n", "'big' is not a finite number",
         "leave them empty and use --missing fill, or use --decimal ,"},
        {"city,day,size\nUlm,31.12.2024,1\n", "'31.12.2024' is not a date with the year first",
         "trained with such dates"},
        {"city,day,size\nUlm,2024-01-01,\n", "the value is missing", "use --missing fill"},
        {"city,day,size,kind\nUlm,2024-01-01,1,\n", "the label is missing", "use --label none"},
        {"city,day,size,kind\nUlm,2024-01-01,1,1.5\n", "cannot be the label", "--label none"},
        {"city,day,size,age\nUlm,2024-01-01,1,3\n", "'age' additional", "--drop"},
    };
    (void)state;
    learn_visits();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        write_text("b.csv", cases[i].text);
        fails("--load m --data b.csv", cases[i].part, cases[i].remedy);
        assert_null(strstr(said, "--type"));
        assert_null(strstr(said, "--target"));
    }
    does("--load m --data b.csv --drop age --predict b.out");
    write_text("b.csv", cases[3].text);
    does("--load m --data b.csv --label none --predict b.out");
    write_text("b.csv", cases[2].text);
    does("--load m --data b.csv --missing fill --predict b.out");
}

static void rows_without_targets_are_predicted_with_label_none(void **state)
{
    (void)state;
    write_patients();
    does("--data p.csv --target heat --drop sick --holdout 0 --epochs 1 --save m --hidden 2");
    write_text("b.csv", "pulse,dose,heat\n0.5,2,\n");
    fails("--load m --data b.csv --predict b.out", "the target is missing", "use --label none");
    does("--load m --data b.csv --label none --predict b.out");
    assert_begins("b.out", "heat\n");
}

static void predictions_are_objects_of_json_if_the_file_ends_so(void **state)
{
    (void)state;
    learn("--hidden 4");
    does("--load m --data p.csv --drop dose --predict a.jsonl --top-k 2 --probabilities");
    assert_int_equal(count_lines("a.jsonl"), PATIENTS);
    assert_begins("a.jsonl", "{\"class\": \"");
    assert_non_null(strstr(text, "\"classes\": [\"no\", \"yes\"], \"probabilities\": {\"no\": 0."));
    assert_int_equal(system("head -n 1 a.jsonl >line"), 0);
    assert_json("line");
}

static void predictions_are_a_matrix_if_the_file_ends_so(void **state)
{
    (void)state;
    glnn_npy npy = {.size = sizeof npy};
    learn("--hidden 4");
    does("--load m --data p.csv --drop dose --predict a.npy --probabilities");
    assert_int_equal(glnn_npy_read("a.npy", &npy), GLNN_OK);
    assert_int_equal(npy.rows, PATIENTS);
    assert_int_equal(npy.columns, 2);
    glnn_npy_free(&npy);
    does("--load m --data p.csv --drop dose --predict a.npy");
    assert_non_null(strstr(said, "classes are numbers: 0 'no', 1 'yes'\n"));
    assert_int_equal(glnn_npy_read("a.npy", &npy), GLNN_OK);
    assert_int_equal(npy.columns, 1);
    glnn_npy_free(&npy);
}

static void the_most_likely_classes_come_in_their_order(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --learner glvq --epochs 2 --save m");
    does("--load m --data trees.csv --predict a.csv --top-k 3 --scores --metrics f.json");
    assert_begins("a.csv", "class,class_2,class_3,ash,\"elm, white\",red oak\n");
    assert_true(printed("top-3 accuracy ") == 100);
    assert_true(number_after("f.json", "\"top_k_accuracy\": ") == 1);
    assert_true(number_after("f.json", "\"roc_auc\": ") == 0); /* null, of three classes */
    assert_true(number_after("f.json", "\"f1\": ") > 0.9);
    assert_true(printed("macro average precision ") > 0.9);
    assert_non_null(strstr(text, "\"average_precision\": null,\n"));
    assert_true(number_after("f.json", "\"roc_auc\": 1, \"average_precision\": ") == 1);
    assert_json("f.json");
    assert_non_null(strstr(text, "\"log_loss\": null"));
}

static void a_higher_threshold_predicts_fewer_samples_of_the_second_class(void **state)
{
    static const char *const thresholds[] = {"0.05", "0.5", "0.95"};
    double former = INFINITY, area = 0;
    char line[256];
    (void)state;
    learn("--hidden 4");
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; ++i) {
        int count = 0;
        snprintf(line, sizeof line,
                 "--load m --data p.csv --drop dose --predict a.csv "
                 "--threshold %s --metrics f.json",
                 thresholds[i]);
        does(line);
        read_text("a.csv", text);
        for (const char *at = text; (at = strstr(at, "yes")) != NULL; ++at)
            ++count;
        assert_true(count < former);
        former = count;
        const double now = number_after("f.json", "\"roc_auc\": ");
        assert_true(i == 0 || now == area);
        area = now;
    }
    assert_true(area > 0.7 && area <= 1);
}

static void metrics_of_targets_are_in_their_units(void **state)
{
    (void)state;
    write_patients();
    does("--data p.csv --target heat,dose --drop sick --holdout 0 --epochs 2 --save m --hidden 4");
    does("--load m --data p.csv --predict a.json --metrics f.json");
    assert_true(fabs(number_after("f.json", "\"mean_absolute_error\": ") -
                     (number_after("f.json", "\"heat\", \"mean_absolute_error\": ") +
                      number_after("f.json", "\"dose\", \"mean_absolute_error\": ")) /
                         2) < 1e-12);
    assert_json("f.json");
    assert_begins("a.json", "{\"heat\": ");
    assert_true(number_after("f.json", "\"root_mean_squared_error\": ") < 3);
    assert_non_null(strstr(said, "test 'dose': mean absolute error "));
}

static void learners_without_probabilities_say_so(void **state)
{
    static const char *const learners[] = {
        "glvq", "kmeans", "svm", "network --loss binary_cross_entropy", "network --loss squared"};
    char line[256];
    (void)state;
    write_patients();
    for (size_t i = 0; i < sizeof learners / sizeof *learners; ++i) {
        snprintf(line, sizeof line,
                 "--data p.csv --test p.csv --predict a.csv --probabilities --learner %s",
                 learners[i]);
        fails(line, "--probabilities", "--scores writes them");
    }
    fails("--data p.csv --learner glvq --threshold 0.5", "--threshold",
          "scores and not probabilities");
    does("--data p.csv --test p.csv --predict a.csv --probabilities --learner rslvq --epochs 1");
    does("--data p.csv --test p.csv --predict a.csv --probabilities --learner gmm --epochs 1");
    does("--data p.csv --test p.csv --predict a.csv --scores --learner svm --epochs 1");
}

static void options_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    write_patients();
    write_trees("trees.csv", 5, 1);
    refuses("--data p.csv --probabilities", "--probabilities", "--predict");
    refuses("--data p.csv --test p.csv --predict a --probabilities --scores", "--probabilities",
            "--scores");
    refuses("--data p.csv --test p.csv --predict a.npy --scores --top-k 2", "a.npy", "one matrix");
    refuses("--data p.csv --threshold 0.5 --top-k 2", "--threshold", "--top-k");
    refuses("--data p.csv --threshold 1", "--threshold", "above 0 and below 1");
    refuses("--data p.csv --metrics p.csv", "--metrics", "overwrite");
    fails("--data p.csv --top-k 3", "--top-k 3", "only 2 classes");
    fails("--data trees.csv --threshold 0.5", "--threshold", "there are 3");
    fails("--data p.csv --drop sick --target dose --top-k 2", "--top-k", "targets, not classes");
}

static void texts_of_json_are_utf_8_whatever_they_were(void **state)
{
    (void)state;
    FILE *file = fopen("t.json", "w");
    assert_non_null(file);
    json_text(file, "a\"\\\n\xC3\xA9\xE9z\xED\xA0\x80\xF0\x9F\x8C\xB3\xC0\x80");
    fputc('\n', file);
    json_double(file, 0.1);
    fputc('\n', file);
    json_float(file, 0.1f);
    fputc('\n', file);
    json_double(file, 1.0 / 3);
    fputc('\n', file);
    json_double(file, -INFINITY);
    assert_int_equal(fclose(file), 0);
    read_text("t.json", text);
    assert_string_equal(text, "\"a\\\"\\\\\\u000a\xC3\xA9\\ufffdz\\ufffd\\ufffd\\ufffd"
                              "\xF0\x9F\x8C\xB3\\ufffd\\ufffd\"\n"
                              "0.1\n0.1\n0.3333333333333333\nnull");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(probabilities_have_a_column_for_each_class),
        IN_FOLDER(tables_without_the_class_are_predicted_and_not_measured),
        IN_FOLDER(a_loaded_model_takes_the_label_that_it_was_trained_with),
        IN_FOLDER(a_label_whose_place_is_the_name_of_another_column_is_found_by_name),
        IN_FOLDER(sentences_about_files_for_a_model_name_no_option_that_it_fixes),
        IN_FOLDER(rows_without_targets_are_predicted_with_label_none),
        IN_FOLDER(predictions_are_objects_of_json_if_the_file_ends_so),
        IN_FOLDER(predictions_are_a_matrix_if_the_file_ends_so),
        IN_FOLDER(the_most_likely_classes_come_in_their_order),
        IN_FOLDER(a_higher_threshold_predicts_fewer_samples_of_the_second_class),
        IN_FOLDER(metrics_of_targets_are_in_their_units),
        IN_FOLDER(learners_without_probabilities_say_so),
        IN_FOLDER(options_that_do_not_fit_are_refused),
        IN_FOLDER(texts_of_json_are_utf_8_whatever_they_were),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
