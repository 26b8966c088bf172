/* Reductions that the public one does not offer. */
#ifndef GLNN__OPS_REDUCE_H
#define GLNN__OPS_REDUCE_H

#include "pass/pass.h"

#include <glnn/reduce.h>

/* glnn_reduce with checked arguments, in an order of the caller's choice. `interleaves`:
 * neighbouring fragments read side by side, and not each elements that lie side by side. */
glnn_status glnn__reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis,
                         bool interleaves, const glnn_matrix *x, glnn_matrix *out);

/* One step of a sum along columns: a row of `out` is the sum of as many rows of x as that takes. */
glnn__pass glnn__reduce_columns_pass(bool interleaves, const glnn_matrix *x, glnn_matrix *out);

/* out (1 x m) = the sums, sums of squares, log-sum-exp or extremes of the rows of x (m x n), side
 * by side. Checked before. One pass; two for long rows. */
glnn_status glnn__reduce_across(glnn_context *ctx, glnn_reduction reduction, const glnn_matrix *x,
                                glnn_matrix *out);

#endif
