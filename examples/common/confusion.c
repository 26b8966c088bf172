#include "confusion.h"

#include <stddef.h>
#include <stdlib.h>

#include "failure.h"

double confusion_recall(const confusion_class *of)
{
    return of->samples > 0 ? (double)of->right / of->samples : 0.0;
}

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
    int by_recall = order(confusion_recall(a), confusion_recall(b));
    /* Of equal recalls the one of more samples says more. */
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

static void collect(const int64_t *confusion, confusion_summary *out)
{
    const size_t classes = (size_t)out->class_count;
    confusion_pair *pair = out->pairs;
    for (size_t i = 0; i < classes; ++i) {
        confusion_class *of = &out->classes[i];
        *of = (confusion_class){.class = (int)i, .right = (int)confusion[i * classes + i]};
        for (size_t j = 0; j < classes; ++j) {
            int samples = (int)confusion[i * classes + j];
            of->samples += samples;
            if (samples > 0 && i != j)
                *pair++ = (confusion_pair){(int)i, (int)j, samples};
        }
        out->tested += of->samples > 0;
    }
}

bool confusion_summarise(const int64_t *confusion, int classes, confusion_summary *out)
{
    *out = (confusion_summary){.pair_count = count_pairs(confusion, (size_t)classes),
                               .class_count = classes};
    out->pairs = malloc(((size_t)out->pair_count + 1) * sizeof *out->pairs);
    out->classes = malloc((size_t)classes * sizeof *out->classes);
    if (out->pairs == NULL || out->classes == NULL) {
        confusion_free(out);
        return refuse("no memory for the confusions of %d classes", classes);
    }
    collect(confusion, out);
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
