/* Trainers of learners, for the functions of each kind of learner that create one or train. */
#ifndef GLNN__TRAIN_TRAINER_H
#define GLNN__TRAIN_TRAINER_H

#include "train/learner.h"

#include <glnn/trainer.h>

/* E_ARG for a number of `desc` that is out of range or would not be used; E_STATE if another trainer
 * trains the learner. A learner that a training changes before the first step checks this first. */
glnn_status glnn__trainer_check(const glnn__learner *learner, const glnn_dataset *data,
                                const glnn_train_desc *desc);

/* A trainer of a learner. `data` and desc->validation fit the learner; the rest is checked here. */
glnn_status glnn__trainer_create(const glnn__learner *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc, glnn_trainer **out);

/* Trains to the end and destroys the trainer. `created` is the status of its creation. If that is an
 * error, this returns it. `result` may be NULL. */
glnn_status glnn__train(glnn_status created, glnn_trainer *trainer, glnn_train_result *result);

#endif
