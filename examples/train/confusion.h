/* Confusion matrices as text and pictures. A matrix has a row for each true class and a column for
 * each predicted class. With many classes only the confusions are shown, not the whole matrix. */
#ifndef TRAIN_CONFUSION_H
#define TRAIN_CONFUSION_H

#include <glnn/metrics.h>

/* The most classes of a matrix that is shown whole. */
enum { CONFUSION_CLASSES_MAX = 40 };

/* An element off the diagonal that is not 0. */
typedef struct confusion_pair {
    int label, predicted;
    int samples;
} confusion_pair;

/* A class and the recall of its samples. */
typedef struct confusion_class {
    int class;
    int samples;
    double recall;
} confusion_class;

typedef struct confusion_summary {
    int pair_count;
    confusion_pair *pairs; /* the most samples first, equal ones by label and predicted class     */
    int class_count;
    confusion_class
        *classes; /* the lowest recall first, those without samples at the end          */
    int tested;   /* how many classes have samples                                    */
} confusion_summary;

/* False with a failure: no memory. The caller frees the summary. */
bool confusion_summarise(const glnn_class_metrics *metrics, confusion_summary *out);
void confusion_free(confusion_summary *summary);

/* Prints a matrix of up to CONFUSION_CLASSES_MAX classes; of more, the most frequent confusions and
 * the recall of each class. Classes without test samples are named. `names` NULL: numbers. */
void confusion_show(const glnn_class_metrics *metrics, char *const *names);

/* Draws the same: plot_confusion, or of more classes a list and a map of the elements that are not
 * 0. */
bool confusion_plot(const char *folder, const glnn_class_metrics *metrics, char *const *names);

#endif
