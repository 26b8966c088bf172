/* The steps of an epoch. */
#ifndef GLNN__TRAIN_STEP_H
#define GLNN__TRAIN_STEP_H

#include "train/training.h"

/* Counts the batches and steps of an epoch. */
void glnn__step_count(glnn_trainer *trainer);

/* Makes steps, at most to the end of the epoch: the first one of an epoch begins it, and the last one
 * leaves it to be ended. */
glnn_status glnn__steps_run(glnn_trainer *trainer, int steps);

/* Makes at least one step, and no more than are likely to be done when the clock is at `end`; waits
 * until the GPU has done them. */
glnn_status glnn__steps_run_until(glnn_trainer *trainer, int steps, double end);

#endif
