/* Counting what a classifier takes the samples of a data set for. */
#ifndef GLNN__TRAIN_CONFUSION_H
#define GLNN__TRAIN_CONFUSION_H

#include "data/batch_iterator.h"

/* Counts the classes that the learner finds for a part's samples, which have labels. */
typedef glnn_status (*glnn__confusion_count)(void *self, const glnn__batch *part, int *confusion);

/* Fills classes x classes numbers: a row per label, a column per class found. `count` is called for
 * all samples of the data set, at most `rows` at a time. */
glnn_status glnn__confusion_fill(const glnn_dataset *data, int rows, int classes, void *self,
                                 glnn__confusion_count count, int *confusion);

#endif
