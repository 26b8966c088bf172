/* Confusion matrices as the trainers show and draw them, and the time that is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/folder.h"

#include "../examples/train/confusion.h"
#include "../examples/train/progress.h"

enum { MANY = 50, TEXT_CAPACITY = 16384 };

static char text[TEXT_CAPACITY];

static void read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static glnn_class_metrics metrics_of(const int64_t *confusion, int classes)
{
    glnn_class_metrics of = {.size = sizeof of};
    const glnn_class_metrics_desc desc = {.classes = classes, .confusion = confusion};
    assert_int_equal(glnn_class_metrics_compute(&desc, &of), GLNN_OK);
    return of;
}

/* Reads the output of confusion_show. */
static void show(const int64_t *confusion, int classes, char *const *names)
{
    glnn_class_metrics metrics = metrics_of(confusion, classes);
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    FILE *file = fopen("shown", "w");
    assert_non_null(file);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
    confusion_show(&metrics, names);
    fflush(stdout);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    fclose(file);
    glnn_class_metrics_free(&metrics);
    read_file("shown");
}

static void assert_shown(const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", text, part);
}

/* Ten samples of each class, all right, but: class 3 has none, of class 7 four are called 8, of
 * class 9 two are called 1. */
static int64_t *many_classes(void)
{
    int64_t *confusion = calloc((size_t)MANY * MANY, sizeof *confusion);
    assert_non_null(confusion);
    for (int i = 0; i < MANY; ++i)
        confusion[i * MANY + i] = i == 3 ? 0 : i == 7 ? 6 : i == 9 ? 8 : 10;
    confusion[7 * MANY + 8] = 4;
    confusion[9 * MANY + 1] = 2;
    return confusion;
}

static void the_worst_confusions_and_recalls_come_first(void **state)
{
    int64_t *confusion = many_classes();
    confusion_summary of;
    (void)state;
    confusion[20 * MANY + 5] = 4;
    glnn_class_metrics metrics = metrics_of(confusion, MANY);
    assert_true(confusion_summarise(&metrics, &of));
    assert_int_equal(of.pair_count, 3);
    const confusion_pair pairs[] = {{7, 8, 4}, {20, 5, 4}, {9, 1, 2}};
    assert_memory_equal(of.pairs, pairs, sizeof pairs);
    assert_int_equal(of.tested, MANY - 1);
    const confusion_class classes[] = {{7, 10, 0.6}, {20, 14, 10.0 / 14}, {9, 10, 0.8}, {0, 10, 1}};
    assert_memory_equal(of.classes, classes, sizeof classes);
    assert_int_equal(of.classes[MANY - 1].class, 3);
    confusion_free(&of);
    glnn_class_metrics_free(&metrics);
    free(confusion);
}

static void many_classes_are_shown_by_confusions_and_recalls(void **state)
{
    int64_t *confusion = many_classes();
    (void)state;
    show(confusion, MANY, NULL);
    assert_shown("confusions of 50 classes: 2 of 2, the most frequent first\n");
    assert_shown("     7          8        4\n     9          1        2\n");
    assert_shown("     7  60.0 % of    10       9  80.0 % of    10\n47 other classes: 100 %\n");
    assert_shown("note: 1 class without a test sample: '3'\n");
    assert_null(strstr(text, "confusion matrix"));
    assert_true(strlen(text) < 600);
    free(confusion);
}

static void few_classes_are_shown_as_a_matrix_and_those_without_samples_named(void **state)
{
    char *const names[] = {"fig", "a pear tree of great height", "plum"};
    const int64_t confusion[] = {3, 1, 0, 0, 0, 0, 0, 0, 0};
    (void)state;
    show(confusion, 3, names);
    assert_shown("confusion matrix");
    assert_shown("            fig               3               1               0\n");
    assert_shown("note: 2 classes without a test sample: 'a pear tree of great height', 'plum'\n");
    const int64_t tested[] = {3, 1, 0, 2};
    show(tested, 2, names);
    assert_null(strstr(text, "without a test sample"));
}

static void untested_classes_are_named_up_to_a_number(void **state)
{
    int64_t *confusion = calloc((size_t)MANY * MANY, sizeof *confusion);
    (void)state;
    confusion[0] = 1;
    show(confusion, MANY, NULL);
    assert_shown("note: 49 classes without a test sample: '1', '2',");
    assert_shown("'20' and 29 more\n");
    assert_shown("\n1 class: 100 %\n");
    free(confusion);
}

static void the_picture_of_many_classes_is_a_list_without_numbers(void **state)
{
    int64_t *confusion = many_classes();
    glnn_class_metrics metrics = metrics_of(confusion, MANY);
    (void)state;
    assert_true(confusion_plot(".", &metrics, NULL));
    glnn_class_metrics_free(&metrics);
    read_file("confusion.csv");
    assert_shown("label,predicted,samples,share_of_label,label_name,predicted_name\n"
                 "7,8,4,0.4,7,8\n9,1,2,0.2,9,1\n7,7,6,0.6,7,7\n9,9,8,0.8,9,9\n0,0,10,1,0,0\n");
    read_file("confusion.gp");
    assert_null(strstr(text, "with labels"));
    metrics = metrics_of(confusion, CONFUSION_CLASSES_MAX);
    assert_true(confusion_plot(".", &metrics, NULL));
    glnn_class_metrics_free(&metrics);
    read_file("confusion.gp");
    assert_non_null(strstr(text, "with labels"));
    free(confusion);
}

/* A training that is shown for the first time, two minutes after its start, when a tenth is done.
 * The file is to be closed. */
static FILE *show_tenth(progress *line, bool may_end_early)
{
    FILE *file = fopen("progress", "w");
    assert_non_null(file);
    progress_start(line, file);
    line->may_end_early = may_end_early;
    progress_show(line, 0.1, "epoch 1");
    return file;
}

/* Shows so much of it after some seconds. */
static void show_later(progress *line, double seconds, double done)
{
    line->since -= seconds;
    line->shown -= seconds;
    progress_show(line, done, "epoch 1");
}

static void time_left_is_a_bound_where_training_may_end_early(void **state)
{
    progress line;
    (void)state;
    for (int may_end_early = 0; may_end_early < 2; ++may_end_early) {
        FILE *file = show_tenth(&line, may_end_early);
        show_later(&line, 62, 0.55);
        fclose(file);
        read_file("progress");
        assert_shown(" left  epoch 1\n");
        const char *wanted = may_end_early ? "at most 1:0" : " 55 %  1:0";
        assert_int_equal(strncmp(text, wanted, strlen(wanted)), 0);
    }
    assert_null(strchr(text, '%'));
}

/* Compiling and measuring come before the first report, and again at the end of the first epoch. */
static void time_left_follows_from_steady_steps(void **state)
{
    progress line;
    (void)state;
    FILE *file = show_tenth(&line, false);
    show_later(&line, 21, 0.3);
    line.shown -= 60;
    progress_restart(&line);
    progress_show(&line, 0.4, "epoch 2");
    show_later(&line, 22, 0.8);
    fclose(file);
    read_file("progress");
    assert_shown(" 30 %  1:1");
    assert_shown(" 40 %  ? left  epoch 2\n");
    assert_shown(" 80 %  0:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_worst_confusions_and_recalls_come_first),
        IN_FOLDER(many_classes_are_shown_by_confusions_and_recalls),
        IN_FOLDER(few_classes_are_shown_as_a_matrix_and_those_without_samples_named),
        IN_FOLDER(untested_classes_are_named_up_to_a_number),
        IN_FOLDER(the_picture_of_many_classes_is_a_list_without_numbers),
        IN_FOLDER(time_left_is_a_bound_where_training_may_end_early),
        IN_FOLDER(time_left_follows_from_steady_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
