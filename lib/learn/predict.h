/* Using a learner on samples of the program, in pieces that its matrices hold. */
#ifndef GLNN__LEARN_PREDICT_H
#define GLNN__LEARN_PREDICT_H

#include "learn/learner.h"

/* A piece of the samples, or a part of a data set. */
struct glnn__piece {
    int64_t first;             /* number of its first sample                           */
    int count;                 /* at most the learner's capacity                       */
    const float *inputs;       /* count x features; NULL: they are not in main memory  */
    const glnn_matrix *matrix; /* whose rows are all samples; NULL: they are elsewhere */
    const glnn__batch *part;   /* of a data set; NULL: the samples are the program's   */
    void *user;                /* the argument of the function that takes a piece      */
};

/* The samples of the first piece. Several pieces begin at rows where a block of every layout
 * begins. */
int glnn__piece_rows(glnn_learner *learner, int64_t samples);

/* Copies the samples of a piece to a matrix (count x features). */
glnn_status glnn__piece_copy(const glnn__piece *piece, glnn_matrix *out);

/* Reads the first `count` rows of a matrix, which may have room for more samples. */
glnn_status glnn__take_outputs(const glnn_matrix *matrix, int count, float *outputs);

/* Reads the classes of `count` samples from a column of a matrix. */
glnn_status glnn__take_classes(const glnn_matrix *matrix, int column, int count, int *classes);

typedef glnn_status (*glnn__take_piece_fn)(void *self, const glnn__piece *piece);

/* Hands the inputs (samples x features) to `take` piece by piece, after checks that the learner has
 * been set and that all inputs are finite, in 16 bits if these are read. `function` is the public
 * one, here and below. */
glnn_status glnn__take_pieces(glnn_learner *learner, const char *function, int64_t samples,
                              const float *inputs, glnn__take_piece_fn take, void *user);

/* Copies the predictions for a piece, which are in some columns of the first rows of a matrix, to
 * their rows in a matrix of all samples. */
glnn_status glnn__piece_store(const glnn__piece *piece, const glnn_matrix *from, int column,
                              int columns, glnn_matrix *out);

#endif
