/* The samples of a training: their order and groups, those kept apart for validation, and which
 * process computes which. */
#ifndef GLNN__LEARN_TRAIN_SAMPLES_H
#define GLNN__LEARN_TRAIN_SAMPLES_H

#include "learn/evaluate.h"
#include "learn/exchange/exchange.h"

typedef struct glnn__samples {
    int count; /* that are trained on; after them in the order come those that are kept apart */
    glnn__order order;
    glnn__groups groups;
    glnn__range *validation;      /* class by class, if the learner is trained so; under an exchange
                                     the share of this process, which may be empty */
    int validation_count;         /* 0: there is no validation                    */
    glnn__order validation_order; /* of desc.validation, if it is measured in groups */

    /* Of the epoch under way. */
    int batch, step; /* samples of a whole batch and of a whole step, of all processes */
    int batches;
    uint64_t steps;

    int first_batch, accumulate;        /* as the description says        */
    glnn_batch_schedule batch_schedule; /* the same                       */
    glnn__exchange *exchange;           /* NULL: one process trains alone   */
    bool by_epoch;                      /* the learner is updated once an epoch */
} glnn__samples;

/* The number of samples that a validation split keeps apart. */
int glnn__samples_kept_apart(const glnn_train_desc *desc, const glnn_dataset *data);

/* The order of the samples; `desc` says how many of the first are trained on. *groups are these, by
 * classes if `groups_classes` and there are labels. To be destroyed after success only. */
glnn_status glnn__train_order(const glnn_train_desc *desc, const glnn_dataset *data,
                              bool groups_classes, glnn__order *order, glnn__groups *groups);

/* Chooses the samples, all of which this process computes. `out` is zeros before; to be destroyed
 * after failure too. */
glnn_status glnn__samples_choose(glnn_learner *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc, glnn__exchange *exchange,
                                 glnn__samples *out);
void glnn__samples_destroy(glnn__samples *samples);

/* Goes to an epoch, from 0 on: batches and steps become those of the epoch. */
void glnn__samples_go_to(glnn__samples *samples, int epoch);

/* Steps of the first `epochs` epochs. */
uint64_t glnn__samples_steps(const glnn__samples *samples, int epochs);

/* Divides them between the processes of an exchange, whose weights are known, and logs it. */
glnn_status glnn__samples_share(glnn__samples *samples);

/* This process's share of `count` samples, all of batch `batch` of the epoch, from *first on. */
int glnn__samples_own(const glnn__samples *samples, int batch, int count, int *first);

/* Its share of the next `count` samples, where batch `batch` begins. */
int glnn__samples_own_of_all(const glnn__samples *samples, int batch, int count);

/* The most samples of a batch that this process computes, and that any process does. */
int glnn__samples_most(const glnn__samples *samples);
int glnn__samples_most_of_all(const glnn__samples *samples);

/* Samples of a group, and the first group that has some. */
int glnn__samples_of_group(const glnn__samples *samples, int group);
int glnn__samples_first_group(const glnn__samples *samples);

#endif
