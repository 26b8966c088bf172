/* A step: the gradients of its batches, in parts, and the update. */
#ifndef GLNN__LEARN_TRAIN_STEP_H
#define GLNN__LEARN_TRAIN_STEP_H

#include "learn/train/cursor.h"

/* Makes the next step of the epoch under way, which is number `number` of all made, from 1. */
glnn_status glnn__step_run(glnn__cursor *cursor, uint64_t number);

/* Makes a step of one batch, which has its data, order, samples of this process and group, and
 * counts nothing. If it is made alone, it exchanges nothing. */
glnn_status glnn__step_try(const glnn__cursor *cursor, const glnn__batch *batch, bool is_alone);

/* Runs the passes of all steps of a group, to be recorded, by a batch of its first samples. The
 * learner is prepared for parts of so many rows. */
glnn_status glnn__step_record(const glnn__cursor *cursor, const glnn__batch *like);
int glnn__step_rows(const glnn__training *training);

/* Whether each process computes its share of a batch at once. */
bool glnn__step_has_one_part(const glnn__training *training);

#endif
