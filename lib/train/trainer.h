/* Trainers of learners, for the functions of each kind of learner that create one or train. */
#ifndef GLNN__TRAIN_TRAINER_H
#define GLNN__TRAIN_TRAINER_H

#include "learner/learner.h"

#include <glnn/trainer.h>

/* A trainer of a learner, after all checks. `desc` may be NULL. Error sentences about arguments
 * begin with `function`. */
glnn_status glnn__trainer_create(const glnn__learner *learner, const char *function,
                                 const glnn_dataset *data, const glnn_train_desc *desc,
                                 glnn_trainer **out);

/* Trains to the end with a trainer of its own. `result` may be NULL. */
glnn_status glnn__train(const glnn__learner *learner, const char *function,
                        const glnn_dataset *data, const glnn_train_desc *desc,
                        glnn_train_result *result);

#endif
