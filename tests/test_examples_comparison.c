/* Models that the trainer compares: cross-validation, seeds and the search of options. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/trainer.h"

#include "../examples/common/failure.h"
#include "../examples/common/random.h"
#include "../examples/train/samples.h"
#include "../examples/train/settings.h"
#include "../examples/train/space.h"

enum { ROWS = 47, FOLDS = 5 };

/* The first feature is the number of the row; two of three rows are of one class. */
static void write_rows(void)
{
    FILE *file = fopen("rows.csv", "w");
    assert_non_null(file);
    fputs("place,other,kind\n", file);
    for (int i = 0; i < ROWS; ++i)
        fprintf(file, "%d.5,%s,%s\n", i,
                i % 4    ? "2"
                : i == 0 ? "1000"
                         : "?",
                i % 3 ? "often" : "seldom");
    assert_int_equal(fclose(file), 0);
}

static samples load_fold(int fold, uint64_t seed)
{
    samples out = {.silent = true};
    const samples_source from = {.data = "rows.csv",
                                 .format = {.separator = ",", .missing = GLNN_CSV_MISSING_FILL},
                                 .split = {.folds = FOLDS, .fold = fold, .seed = seed}};
    if (!samples_load(&from, &out))
        fail_msg("%s", failure());
    return out;
}

static void each_sample_is_in_one_fold_and_classes_are_even(void **state)
{
    int found[ROWS] = {0};
    (void)state;
    write_rows();
    for (int fold = 0; fold < FOLDS; ++fold) {
        samples data = load_fold(fold, 7);
        int seldom = 0;
        assert_int_equal(data.train.samples + data.test.samples, ROWS);
        assert_in_range(data.test.samples, ROWS / FOLDS, ROWS / FOLDS + 1);
        for (int i = 0; i < data.test.samples; ++i) {
            ++found[(int)data.test.inputs[2 * i]];
            seldom += strcmp(data.classes.names[data.test.labels[i]], "seldom") == 0;
        }
        assert_in_range(seldom, 3, 4);
        samples_free(&data);
    }
    for (int i = 0; i < ROWS; ++i)
        assert_int_equal(found[i], 1);
}

static void the_folds_of_a_seed_are_the_same_and_those_of_another_are_not(void **state)
{
    (void)state;
    write_rows();
    samples a = load_fold(2, 7), b = load_fold(2, 7), c = load_fold(2, 8);
    const size_t bytes = 2 * ROWS / FOLDS * sizeof(float);
    assert_memory_equal(a.test.inputs, b.test.inputs, bytes);
    assert_int_not_equal(memcmp(a.test.inputs, c.test.inputs, bytes), 0);
    samples_free(&a);
    samples_free(&b);
    samples_free(&c);
}

/* The row with the number 1000 moves the mean only while it is for training. */
static void missing_values_become_the_mean_of_the_rows_for_training(void **state)
{
    (void)state;
    write_rows();
    for (int fold = 0; fold < FOLDS; ++fold) {
        samples data = load_fold(fold, 7);
        bool has_outlier = false;
        for (int i = 0; i < data.train.samples; ++i)
            has_outlier |= data.train.inputs[2 * i + 1] > 999;
        for (int i = 0; i < data.test.samples; ++i)
            if ((int)data.test.inputs[2 * i] % 4 == 0 && data.test.inputs[2 * i] > 1)
                assert_true(has_outlier ? data.test.inputs[2 * i + 1] > 10
                                        : fabsf(data.test.inputs[2 * i + 1] - 2) < 1e-5f);
        samples_free(&data);
    }
}

static void cross_validation_prints_a_line_for_each_fold_and_the_means(void **state)
{
    char first[TEXT_CAPACITY];
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --learner glvq --epochs 3 --cv 4");
    for (int fold = 1; fold <= 4; ++fold) {
        char name[16];
        snprintf(name, sizeof name, "fold %d/4", fold);
        assert_true(printed(name) > 95);
    }
    assert_true(printed("mean +- deviation") > 95);
    assert_non_null(strstr(said, "60 samples in 4 folds"));
    assert_non_null(strstr(said, "ash 20, elm, white 20, red oak 20\n"));
    snprintf(first, sizeof first, "%s", strstr(said, "fold 1/4"));
    does("--data trees.csv --learner glvq --epochs 3 --cv 4");
    assert_string_equal(strstr(said, "fold 1/4"), first);
}

static char written[TEXT_CAPACITY];

/* The number after a name in a part of a text. */
static double number_after(const char *from, const char *name)
{
    const char *at = strstr(from, name);
    if (!at)
        fail_msg("\"%s\" lacks \"%s\"", from, name);
    return strtod(at + strlen(name), NULL);
}

/* Reads a file of JSON into `written`. */
static void read_json(const char *path)
{
    char command[128];
    snprintf(command, sizeof command, "python3 -m json.tool %s >/dev/null", path);
    assert_int_equal(system(command), 0);
    read_text(path, written);
}

static void weights_of_classes_can_be_searched(void **state)
{
    (void)state;
    write_trees("trees.csv", 20, 1);
    assert_int_equal(system("sed -i 's/red oak/oak/' trees.csv"), 0);
    does("--data trees.csv --standardise --hidden 4 --epochs 1 --search 'class-weights none "
         "balanced "
         "ash=2,oak=3, batch 8'");
    assert_non_null(strstr(said, "3 trials, which are all combinations"));
    assert_non_null(strstr(said, " ash=2,oak=3"));
    assert_null(strstr(said, "failed"));
}

static void a_comparison_writes_its_trainings_and_their_means_as_json(void **state)
{
    static const char accuracy[] = "\"accuracy\": ";
    double sum = 0, squares = 0;
    (void)state;
    write_trees("trees.csv", 20, 1);
    does("--data trees.csv --standardise --hidden 4 --epochs 1 --cv 3 --seeds 2 --metrics f.json "
         "--class-weights 'ash=2'");
    assert_null(strstr(strstr(said, "weights ") + 1, "weights "));
    assert_non_null(strstr(said, "in the training of the first fold"));
    read_json("f.json");
    assert_true(number_after(written, "\"folds\": ") == 3 &&
                number_after(written, "\"seeds\": ") == 2);
    const char *at = strstr(written, "\"rounds\"");
    for (int i = 0; i < 6; ++i) {
        at = strstr(at, "{\"seed\": ");
        assert_non_null(at);
        assert_true(number_after(at, "{\"seed\": ") == 1 + i / 3);
        assert_true(number_after(at, "\"fold\": ") == 1 + i % 3);
        assert_true(
            number_after(at, "\"training_samples\": ") + number_after(at, "\"samples\": ") == 60);
        const double now = number_after(at, accuracy);
        sum += now;
        squares += now * now;
        at += 2;
    }
    assert_null(strstr(at, "\"seed\""));
    assert_true(fabs(number_after(strstr(written, "\"means\""), accuracy) - sum / 6) < 1e-9);
    assert_true(fabs(number_after(strstr(written, "\"deviations\""), accuracy) -
                     sqrt((squares - sum * sum / 6) / 5)) < 1e-6);
    assert_non_null(strstr(written, "\"macro_average_precision\": "));
}

static void a_search_writes_its_trials_and_the_best_command_as_json(void **state)
{
    char command[512];
    (void)state;
    write_trees("trees.csv", 12, 1);
    does("--data trees.csv --standardise --hidden 4 --epochs 1 --search 'rate 0.05 1e30' "
         "--search-by macro_average_precision --metrics f.json");
    read_json("f.json");
    assert_non_null(strstr(written, "\"sorted_by\": \"macro_average_precision\""));
    const char *best =
        strstr(written, "\"options\": {\"rate\": \"0.05\"}, \"means\": {\"accuracy\": ");
    assert_non_null(best);
    assert_true(best < strstr(written, "\"options\": {\"rate\": \"1e30\"}, \"failure\": \"glnn"));
    said[strlen(said) - 1] = '\0';
    snprintf(command, sizeof command, "\"command\": \"%.400s\"", strrchr(said, '\n') + 1);
    assert_non_null(strstr(written, command));
    assert_null(strstr(command, "--metrics"));
}

/* `big` is noise with a large unit, which a long training only learns by heart. */
static void a_target_with_a_large_unit_does_not_decide_a_search(void **state)
{
    static const char search[] = "--data t.csv --target big,small --standardise --hidden 32 "
                                 "--search 'epochs 1 100' --search-by ";
    char line[512];
    uint64_t seed = 3;
    FILE *file = fopen("t.csv", "w");
    (void)state;
    assert_non_null(file);
    fputs("x,y,big,small\n", file);
    for (int i = 0; i < 80; ++i) {
        const double x = (double)random_fraction(&seed), y = (double)random_fraction(&seed);
        fprintf(file, "%.4f,%.4f,%.0f,%.4f\n", x, y, 1e6 * (double)random_fraction(&seed), x - y);
    }
    assert_int_equal(fclose(file), 0);
    snprintf(line, sizeof line, "%sauto", search);
    does(line);
    assert_non_null(strstr(said, "sorted by r_squared"));
    assert_non_null(strstr(said, "--epochs 100\n"));
    snprintf(line, sizeof line, "%sroot_mean_squared_error", search);
    does(line);
    assert_non_null(strstr(said, "--epochs 1\n"));
}

static void targets_are_measured_by_their_errors(void **state)
{
    (void)state;
    write_text("line.csv", "x,y\n1,3\n2,5\n3,7\n4,9\n5,11\n6,13\n7,15\n8,17\n9,19\n10,21\n");
    does("--data line.csv --target y --standardise --hidden 4 --epochs 20 --cv 5 --seeds 2");
    assert_non_null(strstr(said, "RMSE"));
    assert_non_null(strstr(said, "seed 2, fold 5/5"));
    does("--data line.csv --target y --standardise --hidden 4 --epochs 20 --seeds 2");
    assert_non_null(strstr(said, "\nseed 2 "));
}

static void a_comparison_refuses_more_folds_than_samples_and_files_of_one_model(void **state)
{
    (void)state;
    write_rows();
    fails("--data rows.csv --missing fill --cv 17",
          "--cv 17: class 'seldom' has only "
          "16 samples for training",
          "each fold needs one of each class");
    write_text("line.csv", "x,y\n1,3\n2,5\n3,7\n");
    fails("--data line.csv --target y --cv 4", "--cv 4: there are only 3 samples", "needs one");
    refuses("--data rows.csv --cv 1", "--cv '1'", "an integer from 2 to 1000");
    refuses("--data rows.csv --cv 3 --save m", "--cv and --save", "none is kept");
    refuses("--data rows.csv --seeds 3 --predict p", "--seeds and --predict", "none is kept");
    refuses("--data rows.csv --cv 3 --test rows.csv", "--cv and --test", "rows.csv");
    refuses("--data rows.csv --trials 3", "--trials", "it needs --search");
    refuses("--data rows.csv --search 'rate 1 2' --search-by r_squared", "--search-by r_squared",
            "metric of targets");
}

static bool any_row(int row)
{
    (void)row;
    return true;
}

static space parsed(const char *text)
{
    const option_table options = settings_table("train");
    space out;
    if (!space_parse(&options, any_row, text, &out))
        fail_msg("%s: %s", text, failure());
    return out;
}

static void values_are_drawn_from_lists_and_ranges(void **state)
{
    enum { DRAWN = 2000 };
    static space of;
    static space_point point;
    uint64_t random = 1;
    int below = 0, lists = 0;
    (void)state;
    of = parsed("rate 0.01..1 log, hidden 8 16,8,4, pca 3..5 ; standardise on off, epochs 1..100 "
                "log");
    assert_int_equal(of.count, 5);
    for (int i = 0; i < DRAWN; ++i) {
        space_draw(&of, &random, &point);
        const double rate = strtod(point.values[0], NULL);
        const int components = atoi(point.values[2]), epochs = atoi(point.values[4]);
        assert_true(rate >= 0.01 && rate <= 1);
        assert_in_range(components, 3, 5);
        assert_in_range(epochs, 1, 100);
        below += rate < 0.1;
        lists += strcmp(point.values[1], "16,8,4") == 0;
    }
    assert_in_range(below, DRAWN * 45 / 100, DRAWN * 55 / 100);
    assert_in_range(lists, DRAWN * 45 / 100, DRAWN * 55 / 100);
    assert_true(isinf(space_size(&of)));
    space_free(&of);
    of = parsed("hidden 8 16,8,4, pca 3..5; standardise on off");
    assert_true(space_size(&of) == 12);
    space_free(&of);
}

static void a_wrong_search_names_the_option_and_what_is_possible(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"lr 0.1..1", "unknown option 'lr'; did you mean --rate?"},
        {"rate 1..0.1", "the second number has to be above the first"},
        {"decay 0..1 log", "has to begin above 0"},
        {"rate 0.1..1 logarithm", "log or linear can follow"},
        {"rate 0.1..1 log hidden 3", "commas separate options"},
        {"rate 0.1..", "a range has two numbers"},
        {"rate", "values are missing"},
        {"rate 0.1..1,", "an option is missing"},
        {"rate -3", "--rate '-3': has to be"},
        {"pca 2 3..5", "one range or a list of values"},
        {"optimizer adam..sgd", "a range needs numbers"},
        {"optimizer adan", "did you mean adam?"},
        {"standardise yes", "on and off"},
        {"rate 1 2, rate 3", "is there twice"},
        {"save a b", "--save cannot be searched"},
    };
    char line[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        snprintf(line, sizeof line, "--data none.csv --search '%s'", cases[i].text);
        refuses(line, "--search: ", cases[i].part);
    }
    refuses("--data none.csv --rate 3 --search 'rate 1 2'", "--rate and --search", "leave one");
}

/* The last line of the latest run. */
static void last_line(char *out, size_t size)
{
    said[strlen(said) - 1] = '\0';
    snprintf(out, size, "%s", strrchr(said, '\n') + 1);
}

static void the_best_trial_is_a_command_that_runs_and_the_same_each_time(void **state)
{
    static const char search[] = "--data trees.csv --learner glvq --epochs 2 --search 'prototypes "
                                 "1..9, rate 0.001..0.5 log, standardise on off' --trials 4 --cv 2";
    char first[512], second[512], command[600];
    (void)state;
    write_trees("trees.csv", 12, 1);
    does(search);
    last_line(first, sizeof first);
    assert_non_null(strstr(first, "--data trees.csv --learner glvq --epochs 2 --prototypes "));
    assert_null(strstr(first, "--search"));
    assert_null(strstr(first, "--cv"));
    does(search);
    last_line(second, sizeof second);
    assert_string_equal(first, second);
    snprintf(command, sizeof command, "%s >run.txt", first);
    assert_int_equal(system(command), 0);
}

static void a_list_of_all_combinations_is_tried_once_each(void **state)
{
    (void)state;
    write_trees("trees.csv", 12, 1);
    does(
        "--data trees.csv --learner glvq --epochs 1 --search 'prototypes 1 2, standardise on off'");
    assert_true(printed("search ") == 4);
    assert_non_null(strstr(said, "all combinations"));
    assert_non_null(strstr(said, "samples    24 for training, 6 for validation\n"));
}

static void a_trial_that_diverges_is_a_row(void **state)
{
    (void)state;
    write_trees("trees.csv", 12, 1);
    assert_int_equal(trainer_run("--data trees.csv --standardise --hidden 4 --epochs 3 --batch 4 "
                                 "--activation identity --search 'rate 0.05 1e30'"),
                     0);
    assert_non_null(strstr(said, "failed: "));
    assert_non_null(strstr(said, "a lower rate may help"));
    assert_non_null(strstr(said, "--rate 0.05\n"));
    fails("--data trees.csv --standardise --hidden 4 --epochs 3 --search 'pca 7 8'",
          "no trial could be measured by accuracy", "the first one failed: ");
}

static int set_up(void **state)
{
    (void)state;
    return trainer_find("train");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(each_sample_is_in_one_fold_and_classes_are_even),
        IN_FOLDER(the_folds_of_a_seed_are_the_same_and_those_of_another_are_not),
        IN_FOLDER(missing_values_become_the_mean_of_the_rows_for_training),
        IN_FOLDER(cross_validation_prints_a_line_for_each_fold_and_the_means),
        IN_FOLDER(weights_of_classes_can_be_searched),
        IN_FOLDER(a_comparison_writes_its_trainings_and_their_means_as_json),
        IN_FOLDER(a_search_writes_its_trials_and_the_best_command_as_json),
        IN_FOLDER(a_target_with_a_large_unit_does_not_decide_a_search),
        IN_FOLDER(targets_are_measured_by_their_errors),
        IN_FOLDER(a_comparison_refuses_more_folds_than_samples_and_files_of_one_model),
        IN_FOLDER(values_are_drawn_from_lists_and_ranges),
        IN_FOLDER(a_wrong_search_names_the_option_and_what_is_possible),
        IN_FOLDER(the_best_trial_is_a_command_that_runs_and_the_same_each_time),
        IN_FOLDER(a_list_of_all_combinations_is_tried_once_each),
        IN_FOLDER(a_trial_that_diverges_is_a_row),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
