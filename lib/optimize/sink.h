/* The sink of the gradient of one matrix of parameters. If nothing stands between gradient and
 * step, a product that computes the gradient updates the parameters in the same pass. */
#ifndef GLNN__OPTIMIZE_SINK_H
#define GLNN__OPTIMIZE_SINK_H

#include "ops/gemm/product.h"
#include "optimize/optimizer.h"

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

/* The same for the gradient of no samples, if the sink does not fuse. */
glnn_status glnn__sink_take_nothing(glnn_context *ctx, const glnn__sink *sink,
                                    glnn__parameters *parameters);

/* The whole gradient of this process, which the other processes add theirs to: a number of it
 * counts glnn__rounding_unit. NULL: there was none. */
glnn_matrix *glnn__sink_gradient(const glnn__parameters *parameters);

/* squares (1 x 1) = the sum of squares of the gradient, plus the former squares unless it is
 * first. */
glnn_status glnn__sink_add_squares(glnn_context *ctx, const glnn__parameters *parameters,
                                   bool is_first, glnn_matrix *squares);

/* Updates parameters by the whole gradient, scaled so that the norm of the gradients that were
 * squared is at most clip_norm. */
glnn_status glnn__sink_apply(glnn_context *ctx, const glnn__sink *sink, const glnn_matrix *squares,
                             const glnn__parameters *parameters);

#endif
