/* How the program train ends: notes about a run that went badly, and the status of a run that was
 * interrupted or could not write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glnn/safetensors.h>

#include "support/folder.h"
#include "support/trainer.h"

static void assert_said(const char *part)
{
    if (strstr(said, part) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", said, part);
}

/* Two classes in one place, of features that are `scale` large. */
static void write_overlapping(const char *path, double scale)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 60; ++i)
        fprintf(file, "%g,%g,%c\n", scale * (i * 37 % 61) / 61, scale * (i * 23 % 59) / 59,
                "ab"[i % 2]);
    assert_int_equal(fclose(file), 0);
}

static void prototypes_that_end_below_their_start_are_noted(void **state)
{
    (void)state;
    FILE *file = fopen("t.csv", "w");
    assert_non_null(file);
    for (int i = 0; i < 40; ++i)
        fprintf(file, "%d,%c\n", i / 2 + i % 2 * 16, "ab"[i % 2]);
    assert_int_equal(fclose(file), 0);
    /* A rate of 1 puts a prototype onto each sample that it meets. */
    does("--data t.csv --learner lvq1 --epochs 2 --batch 1 --rate 1 --schedule constant "
         "--holdout 0");
    assert_said(
        "note: the accuracy is below that of the start; --restore-best, a lower --rate or more "
        "--prototypes may help");
    does("--data t.csv --test t.csv --learner lvq1 --epochs 2 --batch 1 --rate 1 "
         "--schedule constant");
    assert_said("note: the accuracy is below");
    does("--learner glvq --data t.csv --test t.csv --epochs 2");
    assert_null(strstr(said, "below"));
}

static void a_codebook_says_what_it_does_not_hold(void **state)
{
    (void)state;
    write_overlapping("o.csv", 1);
    does("--learner glvq --data o.csv --epochs 1 --codebook-out c");
    assert_null(strstr(said, "does not hold"));
    does("--learner glvq --data o.csv --epochs 1 --codebook-out c --pca 1");
    assert_said("c does not hold how features are scaled or projected");
    assert_null(strstr(said, "metric"));
    does("--data o.csv --epochs 1 --codebook-out c --learner grlvq");
    assert_said("c does not hold the learnt metric");
}

static void features_of_odd_scale_are_noted_where_a_network_learns_from_them(void **state)
{
    static const char note[] = "--standardise usually helps";
    (void)state;
    write_overlapping("o.csv", 1e4);
    does("--data o.csv --hidden 4 --epochs 1 --holdout 0 --save m");
    assert_said("note: features range from 0 to 9836; ");
    assert_said(note);
    does("--load m --data o.csv --epochs 1");
    assert_null(strstr(said, note));
    does("--data o.csv --hidden 4 --epochs 1 --standardise");
    assert_null(strstr(said, note));
    write_overlapping("o.csv", 5);
    does("--data o.csv --hidden 4 --epochs 1");
    assert_null(strstr(said, note));
    write_text("o.csv", "1,0.001,a\n2,0.002,b\n3,0.001,a\n4,0.002,b\n");
    does("--data o.csv --hidden 4 --epochs 1");
    assert_said("note: deviations of features range from 0.0005 to 1.118; ");
}

static void a_feature_that_numbers_the_rows_is_noted_unless_it_is_wanted(void **state)
{
    (void)state;
    FILE *file = fopen("t.csv", "w");
    assert_non_null(file);
    fputs("w,day,kind\n", file);
    for (int i = 0; i < 20; ++i)
        fprintf(file, "%d,%d,%c\n", i * 7 % 20, i, "ab"[i % 2]);
    assert_int_equal(fclose(file), 0);
    does("--data t.csv --hidden 4 --epochs 1");
    assert_said("note: column 2 ('day') numbers the rows and is a feature; --drop 2 leaves it out");
    does("--data t.csv --hidden 4 --epochs 1 --type day=number");
    assert_null(strstr(said, "numbers the rows"));
}

static void a_network_that_diverges_is_told_of_the_scale(void **state)
{
    (void)state;
    write_overlapping("o.csv", 1e18);
    fails("--data o.csv --hidden 4 --epochs 20 --optimizer sgd --rate 100", "not",
          "; --standardise usually helps");
}

static void a_model_says_by_itself_which_learner_it_is(void **state)
{
    static const char *const learners[] = {"network", "glvq", "kmeans", "gmm", "svm"};
    char line[128];
    (void)state;
    write_overlapping("o.csv", 1);
    for (size_t i = 0; i < sizeof learners / sizeof *learners; ++i) {
        snprintf(line, sizeof line, "--data o.csv --epochs 1 --save m --learner %s", learners[i]);
        does(line);
        does("--load m --data o.csv --epochs 1");
        assert_said(i == 0 ? "network    2-128-2" : learners[i]);
    }
    fails("--load m --data o.csv --precision mixed", "svm does not use --precision", "");
}

static void large_losses_have_few_digits(void **state)
{
    (void)state;
    write_overlapping("o.csv", 1e10);
    does("--data o.csv --learner kmeans --epochs 1");
    assert_true(printed("epoch 1/1  loss ") > 1e18);
    assert_non_null(strstr(strstr(said, "epoch 1/1  loss "), "e+1"));
    assert_true(printed("test loss ") > 1e18);
    assert_null(strstr(strstr(said, "test loss "), "00000"));
}

static void an_interrupted_run_saves_and_says_so_by_its_status(void **state)
{
    (void)state;
    write_overlapping("o.csv", 1);
    const int status =
        trainer_run("--learner glvq --data o.csv --epochs 1000000 --save m >log & run=$!; "
                    "until grep -qs '^epoch' log; do sleep 0.05; done; kill -INT $run; wait $run; "
                    "status=$?; grep -v '^epoch' log >said; exit $status; :");
    assert_int_equal(status, 130);
    assert_said("\ninterrupted after ");
    assert_said("; the files are still written\n");
    does("--load m --data o.csv");
}

/* Stops a training with checkpoints by this signal, and resumes it. The last step of an epoch is
 * followed by a checkpoint, then by the line: after the second line, the first epoch is over in
 * every checkpoint. */
static void expect_resumed_after(const char *name)
{
    char line[512];
    snprintf(line, sizeof line,
             "--learner glvq --data o.csv --epochs 200 --save part --checkpoint c >log & run=$!; "
             "until grep -qs '^epoch   2' log; do sleep 0.05; done; kill -%s $run; wait $run; "
             "cat log >said; :",
             name);
    remove("log"); /* the lines of another run must not be taken for those of this one */
    remove("c");
    remove("c.1");
    trainer_run(line);
    does("--learner glvq --data o.csv --epochs 200 --save resumed --checkpoint c --resume");
    assert_null(strstr(said, "epoch   1/200"));
    assert_int_equal(system("cmp -s whole resumed"), 0);
}

static void a_run_that_was_interrupted_or_killed_is_resumed(void **state)
{
    (void)state;
    write_overlapping("o.csv", 1);
    does("--learner glvq --data o.csv --epochs 200 --save whole");
    expect_resumed_after("INT");
    expect_resumed_after("KILL");
    fails("--learner glvq --data o.csv --epochs 200 --batch 8 --checkpoint c --resume",
          "there it has batch=48, here batch=8", "c: ");
    fails("--learner glvq --data o.csv --epochs 200 --rate 0.1 --checkpoint c --resume",
          "here rate=0.1; --resume needs the samples and options of the former run, and",
          "--overwrite in its place begins");
    does("--learner glvq --data o.csv --epochs 1 --schedule step --checkpoint d");
    fails("--learner glvq --data o.csv --epochs 4 --schedule step --checkpoint d --resume",
          "here every=2; --resume needs", "with --schedule step also --epochs");
    fails("--learner glvq --data o.csv --epochs 200 --checkpoint c",
          "c exists already; --resume continues", "--overwrite replaces it");
    assert_int_equal(rename("c", "kept"), 0);
    fails("--learner glvq --data o.csv --epochs 200 --checkpoint c", "c.1 exists already", "");
    assert_int_equal(rename("kept", "c"), 0);
    fails("--learner glvq --data o.csv --epochs 199 --checkpoint c --resume",
          "of epoch 200, but the training has only 199", "c: ");
    does("--learner glvq --data o.csv --epochs 201 --checkpoint c --resume");
    assert_said("the training had 200 epochs and now has 201; from here on, the schedule linear");
    assert_said("resumed    c: after step ");
    assert_int_equal(truncate("c", 100), 0);
    does("--learner glvq --data o.csv --epochs 202 --checkpoint c --resume");
    assert_said("training goes on from c.1");
    assert_said("resumed    c.1: after step ");
    assert_int_equal(remove("c"), 0);
    does("--learner glvq --data o.csv --epochs 203 --checkpoint c --resume");
    assert_said("resumed    c.1: after step ");
    fails("--learner grlvq --data o.csv --checkpoint c --resume",
          "there it has learner=glvq, here learner=grlvq; --resume needs", "");
    fails("--data o.csv --checkpoint c --resume", "learner=glvq, here learner=network", "");
    assert_int_equal(truncate("c", 100), 0);
    assert_int_equal(truncate("c.1", 200), 0);
    fails("--learner glvq --data o.csv --epochs 203 --checkpoint c --resume",
          "; the checkpoint before it: c.1: ",
          "; without c and c.1, or with another name, the training begins anew");
    fails("--learner glvq --data o.csv --epochs 203 --checkpoint c --overwrite",
          "c is not a checkpoint, or is damaged, so --overwrite does not replace it", "remove it");
    assert_null(strstr(said, "training goes on"));
    refuses("--learner glvq --data o.csv --resume", "--resume: it needs --checkpoint", "");
    refuses("--learner glvq --data o.csv --every 5", "--every: it needs --checkpoint", "");
    refuses("--learner glvq --data o.csv --overwrite", "--overwrite: it needs --checkpoint", "");
    refuses("--learner glvq --data o.csv --checkpoint c --resume --overwrite", "--resume",
            "--overwrite: give one of them");
}

static void only_a_checkpoint_is_overwritten(void **state)
{
    static const char train[] = "--learner glvq --data o.csv --epochs 1";
    static const char *const others[] = {"c", "c.1"};
    char line[256];
    (void)state;
    write_overlapping("o.csv", 1);
    snprintf(line, sizeof line, "%s --save model --checkpoint c", train);
    does(line);
    snprintf(line, sizeof line, "%s --checkpoint c --overwrite", train);
    does(line);
    assert_int_equal(access("c.1", F_OK), 0);
    does(line);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(rename(others[i], "kept"), 0);
        for (int is_table = 0; is_table < 2; ++is_table) {
            snprintf(said, sizeof said, "cp %s %s", is_table ? "o.csv" : "model", others[i]);
            assert_int_equal(system(said), 0);
            fails(line, others[i], "is not a checkpoint, or is damaged, so --overwrite does not");
            snprintf(said, sizeof said, "cmp %s %s", is_table ? "o.csv" : "model", others[i]);
            assert_int_equal(system(said), 0);
        }
        assert_int_equal(rename("kept", others[i]), 0);
    }
    fails("--load c --data o.csv", "--load c: it is a checkpoint of a training, not a model",
          "with --checkpoint c and --resume the training goes on");
    assert_null(strstr(said, "glnn_"));
    const float one = 1;
    const glnn_tensor tensor = {.name = "0.weight", .data = &one};
    assert_int_equal(glnn_safetensors_write("plain", &tensor, 1, NULL, 0), GLNN_OK);
    fails("--load plain --data o.csv", "--load plain: it is not a model that --save wrote", "");
}

static void output_that_cannot_be_written_is_an_error(void **state)
{
    static const char *const programs[] = {"train", "mnist_mlp"};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(trainer_find(programs[i]), 0);
        assert_int_equal(trainer_run("--help >/dev/full 2>said; exit $?; :"), 1);
    }
    write_overlapping("o.csv", 1);
    assert_int_equal(trainer_find("train"), 0);
    assert_int_equal(trainer_run("--data o.csv --epochs 1 >/dev/full 2>said; exit $?; :"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(prototypes_that_end_below_their_start_are_noted),
        IN_FOLDER(a_codebook_says_what_it_does_not_hold),
        IN_FOLDER(features_of_odd_scale_are_noted_where_a_network_learns_from_them),
        IN_FOLDER(a_feature_that_numbers_the_rows_is_noted_unless_it_is_wanted),
        IN_FOLDER(a_network_that_diverges_is_told_of_the_scale),
        IN_FOLDER(a_model_says_by_itself_which_learner_it_is),
        IN_FOLDER(large_losses_have_few_digits),
        IN_FOLDER(an_interrupted_run_saves_and_says_so_by_its_status),
        IN_FOLDER(a_run_that_was_interrupted_or_killed_is_resumed),
        IN_FOLDER(only_a_checkpoint_is_overwritten),
        IN_FOLDER(output_that_cannot_be_written_is_an_error),
    };
    if (trainer_find("train") != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
