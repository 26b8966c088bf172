/* A mixture as trainers see it. */
#ifndef GLNN__MIXTURES_LEARNER_H
#define GLNN__MIXTURES_LEARNER_H

#include "mixtures/gmm.h"

/* `gmm` may be NULL. */
glnn__learner glnn__gmm_learner(glnn_gmm *gmm);

/* As glnn__learner_type. */
glnn_status glnn__gmm_check_set(const void *self, const char *function);
glnn_status glnn__gmm_begin(glnn__learner *learner, const glnn_dataset *data,
                            glnn_train_desc *desc);

#endif
