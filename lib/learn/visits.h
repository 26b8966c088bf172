/* Uses of the list of a learner's tensors. */
#ifndef GLNN__LEARN_VISITS_H
#define GLNN__LEARN_VISITS_H

#include "learn/learner.h"

/* Saves or loads all that a training changes. */
void glnn__learner_state(glnn_learner *learner, glnn__state *state);

/* ---- Several processes; without an exchange these do nothing */

/* After step number `steps` of an exchange of averages: every few steps, parameters and statistics
 * become their means over all processes, weighted by the samples of each since the latest means. */
glnn_status glnn__learner_follow_averages(glnn_learner *learner, const glnn__step *step,
                                          uint64_t steps);

/* The same at once, for the optimizer's states too. */
glnn_status glnn__learner_average(glnn_learner *learner);

/* Sums over all processes what each of them has summed on the GPU in an epoch, by passes that can
 * be recorded. */
glnn_status glnn__learner_sum_epoch(glnn_learner *learner);

/* The same in the epoch under way, and for numbers in main memory. Afterwards rank 0
 * keeps these sums, and the others leave them. */
glnn_status glnn__learner_join_sums(glnn_learner *learner);
glnn_status glnn__learner_leave_sums(glnn_learner *learner);

#endif
