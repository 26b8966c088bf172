/* The steps of an epoch. */
#ifndef GLNN__TRAIN_STEP_H
#define GLNN__TRAIN_STEP_H

#include "train/training.h"

/* Counts the batches and steps of an epoch. */
void glnn__step_count(glnn_trainer *trainer);

/* Makes one step; the first one of an epoch begins it, and the last one leaves it to be ended. */
glnn_status glnn__step_run(glnn_trainer *trainer);

#endif
