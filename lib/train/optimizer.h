/* The sink of the gradient of one matrix of parameters. If nothing stands between gradient and
 * step, a product that computes the gradient updates the parameters in the same pass. */
#ifndef GLNN__TRAIN_OPTIMIZER_H
#define GLNN__TRAIN_OPTIMIZER_H

#include "ops/gemm/product.h"
#include "train/state.h"

#include <glnn/optimizer.h>

#define GLNN__MAX_STATES 2

typedef struct glnn__parameters {
    glnn_matrix *values;
    glnn_matrix *states[GLNN__MAX_STATES]; /* the velocity, or the first and second moment */
    glnn_matrix *copy; /* the values in 16 bits, written with them; NULL: none             */
    glnn_matrix *sum;  /* the gradient so far; NULL: it was never needed */
} glnn__parameters;

/* How to use a gradient. A batch that is larger than the matrices has several parts. */
typedef struct glnn__sink {
    const glnn_optimizer *optimizer;
    bool is_first; /* of the parts: there is no sum yet */
    bool is_last;  /* the parts before and this one are the whole gradient */
    float weight;  /* of the gradient: 1 / samples of the whole batch */
    float rate;
    uint64_t step; /* the number of this step, from 1 */
} glnn__sink;

/* The number of states of the optimizer. */
int glnn__optimizer_states(const glnn_optimizer *optimizer);

/* Checks the numbers and fills in the defaults. */
glnn_status glnn__optimizer_check(glnn_optimizer *optimizer);

/* Lists all that steps change in the parameters; names begin with `prefix`. */
void glnn__parameters_state(const glnn__parameters *parameters, glnn__state *state,
                            const char *prefix);

/* Whether the last product of a gradient updates the parameters. If not, because the step depends
 * on the whole gradient, glnn__sink_apply updates them. */
bool glnn__sink_fuses(const glnn__sink *sink);

/* Adds one part's gradient, a product without a target, to the sum of the parts, or updates the
 * parameters. */
glnn_status glnn__sink_take(glnn_context *ctx, const glnn__sink *sink,
                            const glnn__product *gradient, glnn__parameters *parameters);

/* The same for a gradient that is a matrix of the shape of the parameters, however it was computed.
 * The update is a pass of its own. */
glnn_status glnn__sink_take_matrix(glnn_context *ctx, const glnn__sink *sink,
                                   const glnn_matrix *gradient, glnn__parameters *parameters);

/* squares (1 x 1) = the sum of squares of the gradient, plus the former squares unless it is
 * first. */
glnn_status glnn__sink_add_squares(glnn_context *ctx, const glnn__parameters *parameters,
                                   bool is_first, glnn_matrix *squares);

/* Updates parameters by the whole gradient, scaled so that the norm of the gradients that were
 * squared is at most clip_norm. */
glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             const glnn__parameters *parameters);

#endif
