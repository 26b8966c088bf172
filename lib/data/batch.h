/* Some samples of a data set, and how they reach a learner. */
#ifndef GLNN__DATA_BATCH_H
#define GLNN__DATA_BATCH_H

#include "data/dataset.h"

/* `count` entries of `order` (samples x 1, PAGED) from `first` on, or the samples `first`,
 * `first` + 1 ... themselves where `order` is NULL. */
typedef struct glnn__batch {
    const glnn_dataset *data;
    const glnn_matrix *order;
    int first, count;
    int group; /* 1 + the number of the group that the samples are from; 0: of no group */
} glnn__batch;

/* Copies the inputs of the samples into the first rows of `out` (at least count x features). */
glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out);

#endif
