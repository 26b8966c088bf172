/* A mixture as trainers see it. */
#ifndef GLNN__MIXTURES_LEARNER_H
#define GLNN__MIXTURES_LEARNER_H

#include "mixtures/gmm.h"

glnn__learner glnn__gmm_learner(glnn_gmm *gmm);

/* E_STATE: there are no parameters yet. */
glnn_status glnn__gmm_check_parameters(const glnn_gmm *gmm, const char *what);

/* The data set belongs to the mixture's context and has its features, and its classes where both
 * have any. */
glnn_status glnn__gmm_check_data(const glnn_gmm *gmm, const glnn_dataset *data);

#endif
