#include "confusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

static int order(double left, double right)
{
    return (left > right) - (left < right);
}

static int compare_pairs(const void *left, const void *right)
{
    const confusion_pair *a = left, *b = right;
    if (a->samples != b->samples)
        return order(b->samples, a->samples);
    return a->label != b->label ? order(a->label, b->label) : order(a->predicted, b->predicted);
}

static int compare_classes(const void *left, const void *right)
{
    const confusion_class *a = left, *b = right;
    if ((a->samples == 0) != (b->samples == 0))
        return a->samples == 0 ? 1 : -1;
    int by_recall = order(a->recall, b->recall);
    /* With equal recalls the class with more samples comes first. */
    if (by_recall == 0)
        by_recall = order(b->samples, a->samples);
    return by_recall != 0 ? by_recall : order(a->class, b->class);
}

static int count_pairs(const int64_t *confusion, size_t classes)
{
    int count = 0;
    for (size_t i = 0; i < classes * classes; ++i)
        count += confusion[i] > 0 && i % classes != i / classes;
    return count;
}

static void collect(const glnn_class_metrics *metrics, confusion_summary *out)
{
    const size_t classes = (size_t)out->class_count;
    confusion_pair *pair = out->pairs;
    for (size_t i = 0; i < classes; ++i) {
        out->classes[i] = (confusion_class){(int)i, (int)metrics->support[i], metrics->recall[i]};
        out->tested += out->classes[i].samples > 0;
        for (size_t j = 0; j < classes; ++j) {
            const int samples = (int)metrics->confusion[i * classes + j];
            if (samples > 0 && i != j)
                *pair++ = (confusion_pair){(int)i, (int)j, samples};
        }
    }
}

bool confusion_summarise(const glnn_class_metrics *metrics, confusion_summary *out)
{
    const int classes = metrics->classes;
    *out = (confusion_summary){.pair_count = count_pairs(metrics->confusion, (size_t)classes),
                               .class_count = classes};
    out->pairs = malloc(((size_t)out->pair_count + 1) * sizeof *out->pairs);
    out->classes = malloc((size_t)classes * sizeof *out->classes);
    if (out->pairs == NULL || out->classes == NULL) {
        confusion_free(out);
        return refuse("no memory for the confusions of %d classes", classes);
    }
    collect(metrics, out);
    qsort(out->pairs, (size_t)out->pair_count, sizeof *out->pairs, compare_pairs);
    qsort(out->classes, (size_t)classes, sizeof *out->classes, compare_classes);
    return true;
}

void confusion_free(confusion_summary *summary)
{
    free(summary->pairs);
    free(summary->classes);
    *summary = (confusion_summary){0};
}

enum {
    CONFUSION_WIDTH = 6,
    NAME_WIDTH_MAX = 16,
    PAIRS_SHOWN = 20,
    UNTESTED_SHOWN = 20,
    RECALL_LINE = 100
};

static const char *class_name(char *const *names, int class, char number[16])
{
    if (names)
        return names[class];
    snprintf(number, 16, "%d", class);
    return number;
}

/* Width of a column of class names. */
static int name_width(char *const *names, int classes)
{
    int width = CONFUSION_WIDTH;
    for (int i = 0; names && i < classes; ++i)
        width = (int)strlen(names[i]) >= width ? (int)strlen(names[i]) + 1 : width;
    return width > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : width;
}

static void show_matrix(const int64_t *confusion, int classes, char *const *names)
{
    char number[16];
    const int width = name_width(names, classes);
    printf("\nconfusion matrix: a row for each true class, a column for each predicted class\n%*s",
           width - 1, "");
    for (int j = 0; j < classes; ++j)
        printf(" %*.*s", width - 1, width - 1, class_name(names, j, number));
    for (int i = 0; i < classes; ++i) {
        printf("\n%*.*s", width - 1, width - 1, class_name(names, i, number));
        for (int j = 0; j < classes; ++j)
            printf("%*lld", width, (long long)confusion[i * classes + j]);
    }
    printf("\n\n");
}

static void show_pairs(const confusion_summary *of, char *const *names)
{
    char number[16];
    const int width = name_width(names, of->class_count);
    int shown = of->pair_count < PAIRS_SHOWN ? of->pair_count : PAIRS_SHOWN;
    printf("\nconfusions of %d classes: %d of %d, the most frequent first\n", of->class_count,
           shown, of->pair_count);
    printf("%*s  %*s  samples\n", width, "label", width > 9 ? width : 9, "predicted");
    for (const confusion_pair *pair = of->pairs; pair < of->pairs + shown; ++pair) {
        printf("%*.*s", width, width, class_name(names, pair->label, number));
        printf("  %*.*s  %7d\n", width > 9 ? width : 9, width,
               class_name(names, pair->predicted, number), pair->samples);
    }
}

/* Classes without errors are only counted. */
static void show_recalls(const confusion_summary *of, char *const *names)
{
    char number[16];
    const int width = name_width(names, of->class_count), columns = RECALL_LINE / (width + 19);
    int i = 0;
    printf("\nrecall of each class, the lowest first: the share of its test samples that is "
           "classified correctly");
    for (; i < of->tested && of->classes[i].recall < 1.0; ++i) {
        const confusion_class *class = &of->classes[i];
        printf("%s%*.*s %5.1f %% of %5d", i % columns ? "  " : "\n", width, width,
               class_name(names, class->class, number), 100.0 * class->recall, class->samples);
    }
    printf("\n%d%s class%s: 100 %%\n\n", of->tested - i, i > 0 ? " other" : "",
           of->tested - i == 1 ? "" : "es");
}

static void show_untested(const confusion_summary *of, char *const *names)
{
    char number[16];
    const int untested = of->class_count - of->tested;
    if (untested == 0)
        return;
    printf("note: %d class%s without a test sample:", untested, untested == 1 ? "" : "es");
    for (int i = 0; i < untested && i < UNTESTED_SHOWN; ++i)
        printf("%s '%s'", i > 0 ? "," : "",
               class_name(names, of->classes[of->tested + i].class, number));
    if (untested > UNTESTED_SHOWN)
        printf(" and %d more", untested - UNTESTED_SHOWN);
    printf("\n");
}

void confusion_show(const glnn_class_metrics *metrics, char *const *names)
{
    confusion_summary summary;
    REQUIRE(confusion_summarise(metrics, &summary));
    if (metrics->classes <= CONFUSION_CLASSES_MAX) {
        show_matrix(metrics->confusion, metrics->classes, names);
    } else {
        show_pairs(&summary, names);
        show_recalls(&summary, names);
    }
    show_untested(&summary, names);
    confusion_free(&summary);
}
