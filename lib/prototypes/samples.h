/* Samples of a data set on the CPU, a batch at a time: for what a start or a limit needs to
 * know. */
#ifndef GLNN__PROTOTYPES_SAMPLES_H
#define GLNN__PROTOTYPES_SAMPLES_H

#include "data/batch_iterator.h"
#include "learn/learner.h"

/* Receives rows of inputs: `count` samples from the `first`-th visited on. */
typedef void (*glnn__visit)(void *user, int first, int count, const float *rows);

/* Visits the samples with these numbers, or all if `samples` is NULL, by way of the matrices of a
 * learner whose first member is its prototypes. */
glnn_status glnn__visit_samples(glnn_learner *learner, const glnn_dataset *data, const int *samples,
                                int count, glnn__visit visit, void *user);

/* Copies the inputs of the samples with these numbers to `rows` (count x features). */
glnn_status glnn__copy_samples(glnn_learner *learner, const glnn_dataset *data, const int *samples,
                               int count, float *rows);

/* An order of samples that are given by their numbers, on the GPU. */
glnn_status glnn__order_of(glnn_context *ctx, const int *samples, int count, glnn__order *out);

/* The mean of the samples (features) and their mean squared distance from it, over at most 4096
 * that are spread evenly. */
glnn_status glnn__find_spread(glnn_learner *learner, const glnn_dataset *data, double *mean,
                              double *scale);

#endif
