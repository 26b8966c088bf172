/* What training and using a mixture share. */
#ifndef GLNN__MIXTURES_USE_H
#define GLNN__MIXTURES_USE_H

#include "mixtures/gmm.h"

/* A mixture as trainers see it. */
glnn__learner glnn__gmm_learner(glnn_gmm *gmm);

/* The data set belongs to the mixture's context and has its features, and its classes where both
 * have any. */
glnn_status glnn__gmm_check_data(const glnn_gmm *gmm, const glnn_dataset *data);

/* Measures a mixture on a data set, as glnn__evaluate does: the loss is minus the log-likelihood. */
glnn_status glnn__gmm_evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                               int *confusion);

/* Samples are matched with the components of their class alone. */
bool glnn__gmm_uses_labels(const glnn_gmm *gmm, const glnn_dataset *data);

#endif
