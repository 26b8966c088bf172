/* What a confusion matrix says, for classes that are too many to look at all of it. A matrix has a
 * row per class of the labels and a column per predicted class. */
#ifndef EXAMPLES_CONFUSION_H
#define EXAMPLES_CONFUSION_H

#include <stdbool.h>
#include <stdint.h>

/* A matrix of more classes is not shown whole. */
enum { CONFUSION_CLASSES_MAX = 40 };

/* An element that is not 0, off the diagonal. */
typedef struct confusion_pair {
    int label, predicted;
    int samples;
} confusion_pair;

/* A class and its part of the diagonal. */
typedef struct confusion_class {
    int class;
    int samples, right; /* with that label; of these, classified right */
} confusion_class;

typedef struct confusion_summary {
    int pair_count;
    confusion_pair *pairs; /* the most samples first, equal ones by label and predicted class     */
    int class_count;
    confusion_class
        *classes; /* the lowest recall first, those without samples at the end          */
    int tested;   /* how many classes have samples                                    */
} confusion_summary;

/* False where there is no memory; the failure says so. The caller frees the summary. */
bool confusion_summarise(const int64_t *confusion, int classes, confusion_summary *out);
void confusion_free(confusion_summary *summary);

/* right / samples; 0 without samples. */
double confusion_recall(const confusion_class *of);

#endif
