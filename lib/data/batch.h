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
    int entry; /* of one process alone: the place of the first sample in the order of the epoch */
    int group; /* 1 + the number of the group of the samples; 0: they have no group */
    glnn__distorter *distorter; /* NULL: the samples as they are                          */
    uint64_t step;              /* of the training, for the distorter                     */
    int place;                  /* of the first sample in the step                        */
    const struct glnn__batch_slots *slots; /* which passes read; NULL: the numbers above  */
} glnn__batch;

/* The numbers in which the batches of a training differ. */
typedef struct glnn__batch_slots {
    glnn__value first, entry, step, place; /* `step` without its higher bits */
} glnn__batch_slots;

/* Fills the slots for a batch. */
void glnn__batch_fill(const glnn__batch *batch, glnn__batch_slots *out);

/* The numbers as uniforms. */
glnn__uniform glnn__batch_first(const glnn__batch *batch);
glnn__uniform glnn__batch_entry(const glnn__batch *batch);
glnn__uniform glnn__batch_step(const glnn__batch *batch);
glnn__uniform glnn__batch_place(const glnn__batch *batch);

/* Brings the distorter up to date, if there is one, before passes gather the batch. */
glnn_status glnn__batch_prepare(const glnn__batch *batch);

/* Copies the inputs of the samples, distorted if there is a distorter, into the first rows of `out`
 * (at least count x features). */
glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out);

#endif
