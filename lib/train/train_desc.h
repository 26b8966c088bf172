/* What a description of training may say. */
#ifndef GLNN__TRAIN_TRAIN_DESC_H
#define GLNN__TRAIN_TRAIN_DESC_H

#include "data/dataset.h"

#include <glnn/train.h>

/* E_ARG for a number out of range, and for one that the training would not use. A learner without a
 * default rate uses none. */
glnn_status glnn__train_desc_check(const glnn_train_desc *desc, const glnn_dataset *data,
                                   float default_rate);

/* How many samples a validation split keeps apart. */
int glnn__train_desc_kept_apart(const glnn_train_desc *desc, const glnn_dataset *data);

#endif
