/* Reductions that the public one does not offer. */
#ifndef GLNN__OPS_REDUCE_H
#define GLNN__OPS_REDUCE_H

#include "pass/pass.h"

#include <glnn/reduce.h>

/* One step of a reduction; for those who time passes by it. */
extern const glnn__kernel glnn__reduce_kernel;

/* Options. */
enum {
    GLNN__REDUCE_REDUCTION,
    GLNN__REDUCE_AXIS,
    GLNN__REDUCE_FLAT,
    GLNN__REDUCE_LINE,
    GLNN__REDUCE_ACROSS
};

/* Uniforms. */
enum {
    GLNN__REDUCE_SCALE,
    GLNN__REDUCE_SPREAD,
    GLNN__REDUCE_STRIDE,
    GLNN__REDUCE_REACH,
    GLNN__REDUCE_EXTENT
};

/* glnn_reduce of what has been checked, in an order of the caller's choice, for tests. `combs`:
 * neighbouring fragments read side by side, not runs of their own. */
glnn_status glnn__reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis, bool combs,
                         const glnn_matrix *x, glnn_matrix *out);

/* out (1 x m) = the sums, sums of squares, log-sum-exp or extremes of the rows of x (m x n), side by
 * side. Checked before. One pass; two for long rows. */
glnn_status glnn__reduce_across(glnn_context *ctx, glnn_reduction reduction, const glnn_matrix *x,
                                glnn_matrix *out);

#endif
