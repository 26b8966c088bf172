/* Samples of a data set on the CPU, a batch at a time: for what a start or a limit needs to know. */
#ifndef GLNN__PROTOTYPES_SAMPLES_H
#define GLNN__PROTOTYPES_SAMPLES_H

#include "data/batch_iterator.h"
#include "prototypes/prototypes.h"

/* Receives rows of inputs: `count` samples from the `first`-th visited on. */
typedef void (*glnn__visit)(void *user, int first, int count, const float *rows);

/* Visits the samples with these numbers, or all if `samples` is NULL. */
glnn_status glnn__visit_samples(glnn__prototypes *p, const glnn_dataset *data, const int *samples,
                                int count, glnn__visit visit, void *user);

/* An order of samples that are given by their numbers, on the GPU. */
glnn_status glnn__order_of(glnn_context *ctx, const int *samples, int count, glnn__order *out);

/* The mean of the samples (features) and their mean squared distance from it, over at most 4096 that
 * are spread evenly. */
glnn_status glnn__find_spread(glnn__prototypes *p, const glnn_dataset *data, double *mean,
                              double *scale);

#endif
