/* Where the gradient of one matrix of parameters goes. Where nothing stands between the gradient and
 * the step, the product that makes the gradient updates the parameters in the same pass. */
#ifndef GLNN__TRAIN_OPTIMIZER_H
#define GLNN__TRAIN_OPTIMIZER_H

#include "ops/gemm/product.h"

#include <glnn/optimizer.h>

#define GLNN__MAX_STATES 2

typedef struct glnn__parameters {
    glnn_matrix *values;
    glnn_matrix *states[GLNN__MAX_STATES]; /* the velocity, or the first and second moment */
    glnn_matrix *copy; /* the values in 16 bits, written with them; NULL: none             */
    glnn_matrix *sum;  /* the gradient of parts of a batch but the last; NULL: not needed so far */
} glnn__parameters;

/* What becomes of a gradient. A batch that is larger than the matrices has several parts. */
typedef struct glnn__sink {
    const glnn_optimizer *optimizer;
    bool is_first; /* of the parts: there is no sum yet */
    bool is_last;  /* the parts before and this one are the whole gradient */
    float weight;  /* of the gradient: 1 / samples of the whole batch */
    float rate;
    uint64_t step; /* the number of this step, from 1 */
} glnn__sink;

/* How many states the optimizer keeps. */
int glnn__optimizer_states(const glnn_optimizer *optimizer);

/* Checks the numbers and fills in the defaults. */
glnn_status glnn__optimizer_check(glnn_optimizer *optimizer);

/* Takes in one part's gradient, which is a product without a target. The last part updates the
 * values. */
glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *parameters);

#endif
