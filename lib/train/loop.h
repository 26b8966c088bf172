/* The training loop: epochs, order, schedule, reports, early stopping. It knows nothing of what is
 * trained but the functions below. */
#ifndef GLNN__TRAIN_LOOP_H
#define GLNN__TRAIN_LOOP_H

#include "data/batch_iterator.h"
#include "train/metrics.h"

#include <glnn/train.h>

/* What can be trained. */
typedef struct glnn__learner {
    glnn_context *ctx;
    void *self;
    glnn__scores *scores;   /* what `step` adds to    */
    glnn__scores *measured; /* what `measure` adds to */
    float default_rate;     /* 0: no rate is used */
    int piece; /* samples that `measure` takes at a time: where a set streams, what it is given is
                  cut at multiples of it, so that it sums as if it were given all at once; 0: cut
                  anywhere */

    const int *chosen; /* the samples to train on, by their numbers, without validation; NULL: all
                          but those that are kept apart */
    int chosen_count;

    int class_piece; /* as `piece`, where the samples come class by class */

    bool groups_classes; /* batches are of one class, class by class; desc.keep_order is set */
    /* A class that is settled learns no more: an epoch leaves its samples out, and add_settled adds
     * their losses and counts to the totals. NULL: no class settles before the others. */
    bool (*is_settled)(const void *self, int class);
    void (*add_settled)(const void *self, glnn__totals *totals);

    /* Updates the weights once. */
    glnn_status (*step)(void *self, const glnn__batch *batch, float rate);

    /* Ends an epoch, before it is validated; `loss` is its mean loss. *is_done ends training. NULL:
     * nothing is left to do then. */
    glnn_status (*end_epoch)(void *self, double loss, bool *is_done);

    /* Takes any number of samples, and changes no weights. */
    glnn_status (*measure)(void *self, const glnn__batch *batch);

    /* Sets the weights aside, and takes them back. */
    glnn_status (*keep)(void *self);
    glnn_status (*restore)(void *self);
} glnn__learner;

/* ---- loop_samples.c */

/* The order of the samples of which `desc` has the first trained on; *groups are these, by classes
 * where `groups_classes` and there are labels. To be destroyed after success only. */
glnn_status glnn__train_order(const glnn_train_desc *desc, const glnn_dataset *data,
                              bool groups_classes, glnn__order *order, glnn__groups *groups);

/* ---- loop.c */

/* Trains. `data` and desc->validation fit the learner; desc's own numbers are checked here. */
glnn_status glnn__train(const glnn__learner *learner, const glnn_dataset *data,
                        const glnn_train_desc *desc, glnn_train_result *result);

/* Mean loss and accuracy of all samples, each of which may be NULL; E_DIVERGED where the loss is not
 * finite. */
glnn_status glnn__measure(const glnn__learner *learner, const glnn_dataset *data, double *loss,
                          double *accuracy);

#endif
