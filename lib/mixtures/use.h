/* What training and using a mixture share. */
#ifndef GLNN__MIXTURES_USE_H
#define GLNN__MIXTURES_USE_H

#include "mixtures/gmm.h"

/* A mixture as the training loop sees it. */
glnn__learner glnn__gmm_learner(glnn_gmm *gmm);

/* The data set belongs to the mixture's context and has its features, and its classes where both
 * have any. */
glnn_status glnn__gmm_check_data(const glnn_gmm *gmm, const glnn_dataset *data);

/* Samples are matched with the components of their class alone. */
bool glnn__gmm_uses_labels(const glnn_gmm *gmm, const glnn_dataset *data);

#endif
