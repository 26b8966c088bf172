/* Reductions that are not public. */
#ifndef GLNN__OPS_REDUCE_H
#define GLNN__OPS_REDUCE_H

#include "pass/pass.h"

#include <glnn/reduce.h>

/* glnn_reduce without checks, and with a choice of the order in which elements are read. If
 * `interleaves`, neighbouring fragments read neighbouring elements; else each fragment reads
 * neighbouring elements itself. */
glnn_status glnn__reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis,
                         bool interleaves, const glnn_matrix *x, glnn_matrix *out);

/* One step of a sum along columns: each row of `out` is the sum of an equal share of the rows of
 * x. */
glnn__pass glnn__reduce_columns_pass(bool interleaves, const glnn_matrix *x, glnn_matrix *out);

/* Reduces the rows of x (m x n) to a row: out is 1 x m. The reduction is a sum, a sum of squares, a
 * log-sum-exp or an extreme. The arguments are not checked. One pass; two for long rows. */
glnn_status glnn__reduce_across(glnn_context *ctx, glnn_reduction reduction, const glnn_matrix *x,
                                glnn_matrix *out);

#endif
