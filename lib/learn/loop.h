/* The training loop: epochs, order, schedule, reports, early stopping. It knows nothing of what is
 * trained but the functions below. */
#ifndef GLNN__LEARN_LOOP_H
#define GLNN__LEARN_LOOP_H

#include "learn/dataset.h"
#include "learn/score.h"

#include <glnn/train.h>

/* Some samples of a data set: `count` entries of `order` (samples x 1, PAGED) from `first` on, or
 * the samples `first`, `first` + 1 ... themselves where `order` is NULL. */
typedef struct glnn__batch {
    const glnn_dataset *data;
    const glnn_matrix *order;
    int first, count;
    int full;          /* of steps: the count of all batches but the last, which may be smaller */
    int epoch_samples; /* of steps: samples of all batches of an epoch */
} glnn__batch;

/* The part of a batch from its sample `offset` on, of at most `capacity` samples. */
glnn__batch glnn__batch_part(const glnn__batch *batch, int offset, int capacity);

/* What can be trained. */
typedef struct glnn__learner {
    glnn_context *ctx;
    void *self;
    glnn__scores *scores;   /* what `step` adds to    */
    glnn__scores *measured; /* what `measure` adds to */
    float default_rate;

    /* Updates the weights once. */
    glnn_status (*step)(void *self, const glnn__batch *batch, float rate);

    /* Takes any number of samples, and changes no weights. */
    glnn_status (*measure)(void *self, const glnn__batch *batch);

    /* Sets the weights aside, and takes them back. */
    glnn_status (*keep)(void *self);
    glnn_status (*restore)(void *self);
} glnn__learner;

/* Trains. `data` and desc->validation fit the learner; desc's own numbers are checked here. */
glnn_status glnn__train(const glnn__learner *learner, const glnn_dataset *data,
                        const glnn_train_desc *desc, glnn_train_result *result);

/* Mean loss and accuracy of a batch of any size. */
glnn_status glnn__measure(const glnn__learner *learner, const glnn__batch *batch, double *loss,
                          double *accuracy);

#endif
