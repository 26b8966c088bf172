/* Updates of one matrix of parameters, in one pass: the gradient is an inner product, goes into the
 * state of the optimizer, and the step that this says is added to the parameters; for plain descent
 * the gradient is. */
#ifndef GLNN__TRAIN_OPTIMIZER_H
#define GLNN__TRAIN_OPTIMIZER_H

#include "tex/matrix.h"

#include <glnn/mlp.h>

#define GLNN__MAX_STATES 2

typedef struct glnn__parameters {
    glnn_matrix *values;
    glnn_matrix *states[GLNN__MAX_STATES]; /* the velocity, or the first and second moment */
    glnn_matrix *copy; /* the values in 16 bits, written with them; NULL: none             */
    glnn_matrix *sum;  /* the gradient of parts of a batch but the last; NULL: not needed so far */
} glnn__parameters;

/* One part of one step: of a batch that is larger than the matrices, or all of it. */
typedef struct glnn__part {
    bool is_first, is_last;
    float weight; /* of the gradient: 1 / samples of the whole batch */
    float rate;
    uint64_t step; /* the number of this step, from 1 */
} glnn__part;

/* How many states the optimizer keeps. */
int glnn__optimizer_states(const glnn_optimizer *optimizer);

/* Checks the numbers and fills in the defaults. */
glnn_status glnn__optimizer_check(glnn_optimizer *optimizer);

/* Takes in the gradient [input 1]' delta of one part, and updates the values with the last one. */
glnn_status glnn__optimizer_update(glnn_context *ctx, const glnn_optimizer *optimizer,
                                   const glnn__part *part, const glnn_matrix *input,
                                   const glnn_matrix *delta, glnn__parameters *parameters);

/* out = weight [input 1]' delta, plus what it held where it `adds`. */
glnn_status glnn__gradient(glnn_context *ctx, float weight, const glnn_matrix *input,
                           const glnn_matrix *delta, bool adds, glnn_matrix *out);

#endif
