/* The samples of a training: their order and groups, and those kept apart for validation. */
#ifndef GLNN__TRAIN_SAMPLES_H
#define GLNN__TRAIN_SAMPLES_H

#include "data/order.h"
#include "train/learner.h"

typedef struct glnn__samples {
    int count; /* that are trained on; after them in the order come those that are kept apart */
    glnn__order order;
    glnn__groups groups;
    glnn__order validation_order; /* of desc.validation, if it is measured in groups */
    glnn__groups validation_groups;
} glnn__samples;

/* The order of the samples; `desc` says how many of the first are trained on. *groups are these, by
 * classes if `groups_classes` and there are labels. To be destroyed after success only. */
glnn_status glnn__train_order(const glnn_train_desc *desc, const glnn_dataset *data,
                              bool groups_classes, glnn__order *order, glnn__groups *groups);

/* The number of samples that a learner is trained on. */
int glnn__samples_count(const glnn__learner *learner, const glnn_dataset *data,
                        const glnn_train_desc *desc);

/* Whether samples are kept apart for validation, or a validation set exists. */
bool glnn__samples_have_validation(const glnn__learner *learner, const glnn_dataset *data,
                                   const glnn_train_desc *desc);

/* Chooses the samples, `out->count` of which is set. To be destroyed after failure too. */
glnn_status glnn__samples_choose(const glnn__learner *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc, glnn__samples *out);
void glnn__samples_destroy(glnn__samples *samples);

#endif
