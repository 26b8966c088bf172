/* Trainings of 784-800-10 at batch 128 that differ in one thing each. */
#ifndef BENCH_TRAINEE_H
#define BENCH_TRAINEE_H

#include "common/harness.h"

enum {
    TRAINEE_SIDE = 28,
    TRAINEE_PIXELS = TRAINEE_SIDE * TRAINEE_SIDE,
    TRAINEE_HIDDEN = 800,
    TRAINEE_CLASSES = 10,
    TRAINEE_BATCH = 128
};

typedef struct trainee {
    glnn_learner *network;
    glnn_trainer *trainer;
} trainee;

/* Random images with labels. */
glnn_dataset *trainee_data(bench *b, int samples);

/* `how` has all but the epochs. */
trainee trainee_new(bench *b, const glnn_dataset *data, const glnn_optimizer *optimizer,
                    const glnn_train_desc *how);
void trainee_free(const trainee *t);

/* Work: an epoch of the trainee `state`. */
void trainee_epoch(void *state, int turn);

/* Passes of an epoch, which it trains; and of the second step of one, if it has two. */
double trainee_epoch_passes(const bench *b, trainee *t);
double trainee_step_passes(const bench *b, const trainee *t);

#endif
