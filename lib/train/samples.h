/* The description of a training, and its samples: their order and groups, and those kept apart for
 * validation. */
#ifndef GLNN__TRAIN_SAMPLES_H
#define GLNN__TRAIN_SAMPLES_H

#include "exchange/exchange.h"
#include "learner/evaluate.h"

typedef struct glnn__samples {
    int count; /* that are trained on; after them in the order come those that are kept apart */
    glnn__order order;
    glnn__groups groups;
    glnn__range *validation;      /* class by class, if the learner is trained so; under an exchange
                                     the share of this process, which may be empty */
    int validation_count;         /* 0: there is no validation                    */
    glnn__order validation_order; /* of desc.validation, if it is measured in groups */
} glnn__samples;

/* ---- train_desc.c */

/* E_ARG for a number out of range, and for one that training the learner would not use. The batch
 * is checked before the learner fills in defaults of its own. */
glnn_status glnn__train_desc_check_batch(const glnn_train_desc *desc, const glnn_learner *learner);
glnn_status glnn__train_desc_check(const glnn_train_desc *desc, const glnn_dataset *data,
                                   const glnn_learner *learner, bool updates_by_epoch);

/* E_ARG for a rate above 0 that the learner cannot use. */
glnn_status glnn__train_desc_check_rate(float rate, const glnn_learner *learner);

/* The number of samples that a validation split keeps apart. */
int glnn__train_desc_kept_apart(const glnn_train_desc *desc, const glnn_dataset *data);

/* ---- samples.c */

/* The order of the samples; `desc` says how many of the first are trained on. *groups are these, by
 * classes if `groups_classes` and there are labels. To be destroyed after success only. */
glnn_status glnn__train_order(const glnn_train_desc *desc, const glnn_dataset *data,
                              bool groups_classes, glnn__order *order, glnn__groups *groups);

/* Chooses the samples. `out` is zeros before; to be destroyed after failure too. */
glnn_status glnn__samples_choose(glnn_learner *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc, glnn__samples *out);

/* Reduces each range of the validation to the share of this process. */
void glnn__samples_share(glnn__exchange *exchange, glnn__samples *samples);
void glnn__samples_destroy(glnn__samples *samples);

#endif
