/* Trial steps: steps whose time is measured before a training. Afterwards the learner and the
 * trainer are as before. All processes of an exchange make them together. */
#ifndef GLNN__TRAIN_TRIAL_STEPS_H
#define GLNN__TRAIN_TRIAL_STEPS_H

#include "train/training.h"

/* A way to make a step. */
typedef struct glnn__candidate {
    glnn_exchange_kind kind; /* AUTO: without an exchange, as if the process trained alone. AVERAGES
                                has means in each step */
    int samples;             /* of this process in the step, at least 1 */
    double seconds;          /* the result: the least time of a step of this process */
} glnn__candidate;

/* Times the candidates, which all processes have in the same order. At the end the learner is as
 * before, bit for bit, also after an error. Waits. */
glnn_status glnn__trial_steps_run(glnn_trainer *trainer, glnn__candidate *candidates, int count);

/* seconds[r]: of a step of `samples` samples that process r makes without an exchange. All
 * processes measure at the same time, so that those of one host share it as in a training. The
 * number of samples may differ between the processes. */
glnn_status glnn__trial_steps_alone(glnn_trainer *trainer, int samples, double *seconds);

/* The samples of a whole step that this process computes: its share, at least 1, of one group.
 * Where processes take whole batches in turn, those of a batch. */
int glnn__trial_steps_samples(const glnn_trainer *trainer);

#endif
