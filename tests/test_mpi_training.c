/* The examples with --distributed: several processes train, and one of them prints and writes
 * files. */
#include "support/folder.h"
#include "support/ranks.h"
#include "support/trainer.h"

#include <math.h>
#include <unistd.h>

#include "../examples/common/digits.h"

static void begin(const char *name, int ranks)
{
    char launcher[64] = "";
    if (ranks > 0)
        snprintf(launcher, sizeof launcher, "mpirun -n %d", ranks);
    assert_int_equal(trainer_find(name), 0);
    trainer_launch_by(launcher);
    ranks_environment();
    /* Other tests look for leaks of these programs. MPI has some of its own, which have no name. */
    const char *options = getenv("ASAN_OPTIONS");
    char text[512];
    snprintf(text, sizeof text, "%s:detect_leaks=0", options ? options : "");
    setenv("ASAN_OPTIONS", text, 1);
}

static int count_of(const char *text)
{
    int count = 0;
    for (const char *at = strstr(said, text); at; at = strstr(at + 1, text))
        ++count;
    return count;
}

static void expect_same_files(const char *left, const char *right)
{
    char command[256];
    snprintf(command, sizeof command, "cmp %s %s", left, right);
    assert_int_equal(system(command), 0);
}

/* Two runs that measure nothing exchange the same kind. Two processes train a network of images. */
static void several_processes_train_the_networks_of_the_examples(void **state)
{
    (void)state;
    setenv("GLNN_TUNE", "off", 1);
    assert_true(digits_write("digits", 1, 600, 100));
    begin("mnist_mlp", 0);
    does("--data digits --epochs 2 --hidden 20 --batch 60");
    const double alone = printed("\ntest accuracy ");
    for (int ranks = all_cases_are_run() ? 2 : 3; ranks <= 3; ++ranks) {
        begin("mnist_mlp", ranks);
        does("--data digits --epochs 2 --hidden 20 --batch 60 --distributed --save first");
        assert_int_equal(count_of("\nepoch "), 1);
        assert_int_equal(count_of(": device "), ranks);
        assert_true(printed(" processes trained with ") > 0);
        /* Another order of sums, which moves few images to the other side of a boundary. */
        assert_true(fabs(printed("\ntest accuracy ") - alone) <= 2);
        does("--data digits --epochs 2 --hidden 20 --batch 60 --distributed --save second");
        expect_same_files("first", "second");
    }
    assert_true(digits_write("few", 1, 120, 20));
    begin("mnist_conv", 2);
    does("--data few --epochs 1 --distributed");
    assert_int_equal(count_of("\ntest accuracy "), 1);
    assert_int_equal(count_of("expected speedup"), 0);
    unsetenv("GLNN_TUNE");
}

static void the_plan_of_the_exchange_is_printed_with_its_times(void **state)
{
    (void)state;
    assert_true(digits_write("digits", 1, 600, 100));
    begin("mnist_mlp", 2);
    does("--data digits --epochs 2 --hidden 20 --batch 60 --distributed");
    assert_int_equal(count_of("layer               numbers  exchange     measured us"), 1);
    assert_true(printed("\n 0 dense") == 15700);
    assert_true(printed("\n 1 dense") == 210);
    assert_int_equal(count_of("2 processes exchange "), 1);
    assert_true(printed("\nexpected speedup ") > 0);
    assert_true(printed(", reached ") > 0);
    assert_true(printed(" (one process alone: ") > 0);
    assert_true(printed("; speed relative to one process: gradients ") > 0);
    const double reached = printed(", reached ") / printed("\nexpected speedup ");
    if (fabs(reached - 0.7) > 0.05)
        assert_int_equal(count_of("or the training was too short"), reached < 0.7);
}

static void a_model_that_two_processes_have_trained_is_loaded_by_one(void **state)
{
    (void)state;
    write_trees("trees", 40, 3);
    begin("train", 2);
    does("--data trees --holdout 0.2 --epochs 5 --distributed --exchange averages "
         "--exchange-every 2 --save m");
    assert_true(printed("test accuracy ") > 80);
    begin("train", 0);
    does("--load m --test trees");
    assert_true(printed("test accuracy ") > 80);
    refuses("--load m --test trees --distributed", "--distributed", "without --epochs");
    refuses("--data trees --distributed --device 1", "--distributed", "leave --device");
    refuses("--data trees --exchange averages", "--exchange", "it needs --distributed");
    refuses("--data trees --exchange-every 2", "--exchange-every", "it needs --distributed");
}

/* Sums in another order move few samples to the other side of a boundary. Two runs give the same
 * model, bit for bit. Unless all cases are run, the learners take the numbers of processes in turn,
 * and the first of each number runs twice. tests/test_exchange_learners.c compares two runs of all
 * learners. */
static void several_processes_train_prototypes_and_mixtures_as_one_does(void **state)
{
    static const char *const learners[] = {"kmeans", "gmm",   "svm",  "glvq",
                                           "gmlvq",  "rslvq", "olvq1"};
    enum { RUN_TWICE = 2 };
    char training[256];
    (void)state;
    write_trees("trees", 60, 3);
    for (size_t i = 0; i < COUNT_OF(learners); ++i) {
        snprintf(training, sizeof training, "--data trees --learner %s --epochs 6 ", learners[i]);
        begin("train", 0);
        does(training);
        const double alone = printed("test accuracy ");
        /* The choice of a support vector machine depends on measured times. */
        strcat(training, "--distributed --exchange gradients --save first");
        for (int ranks = 2; ranks <= 3; ++ranks) {
            if (!all_cases_are_run() && ranks % 2 != (int)i % 2)
                continue;
            begin("train", ranks);
            does(training);
            assert_int_equal(count_of("test accuracy "), 1);
            assert_true(fabs(printed("test accuracy ") - alone) <= 3);
            if (!all_cases_are_run() && i >= RUN_TWICE)
                continue;
            rename("first", "second");
            does(training);
            expect_same_files("first", "second");
        }
    }
}

static void emphasis_with_several_processes_is_refused_with_a_reason(void **state)
{
    (void)state;
    write_trees("trees", 40, 3);
    begin("train", 2);
    assert_true(trainer_run("--data trees --emphasis 1 --epochs 1 --distributed") != 0);
    assert_non_null(strstr(said, "an emphasis of 1, but 2 processes train together; each of them "
                                 "would know the losses of its own samples only"));
}

static void a_process_that_fails_alone_ends_the_others(void **state)
{
    (void)state;
    assert_true(digits_write("digits", 1, 60, 20));
    begin("mnist_mlp", 2);
    trainer_launch_by("mpirun -n 2 sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then "
                      "exec \"$0\" --distributed --data absent; fi; exec \"$0\" \"$@\"'");
    assert_true(trainer_run("--distributed --data digits --epochs 100000") != 0);
    assert_non_null(strstr(said, "absent"));
    assert_non_null(strstr(said, "rank 1"));
}

/* Rank 1 is killed after its second checkpoint. */
static void fewer_processes_continue_from_the_checkpoint_of_a_killed_run(void **state)
{
    static const char training[] =
        "--data trees --epochs 250 --distributed --checkpoint c --resume";
    (void)state;
    write_trees("trees", 60, 3);
    begin("train", 3);
    trainer_launch_by("mpirun -n 3 sh -c 'if [ $OMPI_COMM_WORLD_RANK != 1 ]; then exec \"$0\" "
                      "\"$@\"; fi; \"$0\" \"$@\" & while [ ! -e c.1 ]; do sleep 0.1; done; "
                      "kill -KILL $!; exit 1'");
    assert_true(trainer_run(training) != 0);
    assert_int_equal(access("c", R_OK), 0);
    begin("train", 2);
    does(training);
    assert_null(strstr(said, "epoch   1/250"));
    assert_true(printed("test accuracy ") > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(several_processes_train_the_networks_of_the_examples),
        IN_FOLDER(the_plan_of_the_exchange_is_printed_with_its_times),
        IN_FOLDER(a_model_that_two_processes_have_trained_is_loaded_by_one),
        IN_FOLDER(several_processes_train_prototypes_and_mixtures_as_one_does),
        IN_FOLDER(emphasis_with_several_processes_is_refused_with_a_reason),
        IN_FOLDER(a_process_that_fails_alone_ends_the_others),
        IN_FOLDER(fewer_processes_continue_from_the_checkpoint_of_a_killed_run),
    };
    if (trainer_find("train") != 0)
        return 1;
    return cmocka_run_group_tests_name("mpi_training", tests, NULL, NULL);
}
