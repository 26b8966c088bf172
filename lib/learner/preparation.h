/* The preparations that learners own. */
#ifndef GLNN__LEARNER_PREPARATION_H
#define GLNN__LEARNER_PREPARATION_H

#include "learner/learner.h"

/* Keeps a copy of a preparation that fits the learner, in place of the one before; NULL or an empty
 * one removes it. `function` is the public one. */
glnn_status glnn__preparation_set(const glnn__learner *learner, const char *function,
                                  const glnn_preparation *preparation);

/* The learner's preparation; NULL if it is empty. */
const glnn_preparation *glnn__preparation_get(const glnn__trained *trained);

#endif
