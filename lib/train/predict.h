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

/* Reads the classes of `count` samples from a column of a matrix. */
glnn_status glnn__take_classes(const glnn_matrix *matrix, int column, int count, int *classes);

typedef glnn_status (*glnn__predict_fn)(void *self, const glnn__piece *piece);

/* Checks that there is a learner, which has been set, and that there are samples. All inputs
 * (samples x features) have to be finite, in 16 bits if these are read; they are handed to `take`
 * piece by piece. Error sentences begin with `function`. */
glnn_status glnn__predict(const glnn__learner *learner, const char *function, int samples,
                          const float *inputs, glnn__predict_fn take, void *user);

#endif
