/* Using a learner on samples in main memory, in pieces that its matrices hold. */
#ifndef GLNN__TRAIN_PREDICT_H
#define GLNN__TRAIN_PREDICT_H

#include "train/learner.h"

/* A piece of the samples, which are uploaded. */
typedef struct glnn__piece {
    int first, count;
    const float *inputs; /* count x features                                 */
    void *user;          /* the argument of the function that takes a piece */
} glnn__piece;

typedef glnn_status (*glnn__predict_fn)(void *self, const glnn__piece *piece);

/* E_ARG if a function that uses a learner gets no learner, no inputs or no samples. `role` is the
 * learner's parameter. */
glnn_status glnn__check_use(const char *function, const char *role, const void *learner,
                            int samples, const float *inputs);

/* Checks that all inputs (samples x features) are finite, in 16 bits if these are read, and hands
 * them to `take` piece by piece. Error sentences begin with `function`. */
glnn_status glnn__predict(const glnn__learner *learner, const char *function, int samples,
                          const float *inputs, glnn__predict_fn take, void *user);

#endif
