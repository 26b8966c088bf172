/* Checks of a description of training. */
#ifndef GLNN__TRAIN_TRAIN_DESC_H
#define GLNN__TRAIN_TRAIN_DESC_H

#include "train/learner.h"

/* E_ARG for a number out of range, and for one that training the learner would not use. */
glnn_status glnn__train_desc_check(const glnn_train_desc *desc, const glnn_dataset *data,
                                   const glnn__learner *learner);

/* The number of samples that a validation split keeps apart. */
int glnn__train_desc_kept_apart(const glnn_train_desc *desc, const glnn_dataset *data);

#endif
