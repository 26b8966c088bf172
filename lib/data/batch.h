/* Batches: some samples of a data set, for a learner. */
#ifndef GLNN__DATA_BATCH_H
#define GLNN__DATA_BATCH_H

#include "data/dataset.h"
#include "distortions/distorter.h"

/* `count` entries of `order` (samples x 1, PAGED) from `first` on, or with `order` NULL the samples
 * `first`, `first` + 1 ... */
typedef struct glnn__batch {
    const glnn_dataset *data;
    const glnn_matrix *order;
    int first, count;
    int group; /* 1 + the number of the group of the samples; 0: they have no group */
    glnn__distorter *distorter; /* NULL: the samples as they are                          */
    uint64_t step;              /* of the training, for the distorter                     */
    int place;                  /* of the first sample in the step, for the distorter     */
} glnn__batch;

/* Copies the inputs of the samples, distorted if there is a distorter, into the first rows of `out`
 * (at least count x features). */
glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out);

#endif
