/* Reductions whose order is the caller's choice: for tests. */
#ifndef GLNN__OPS_REDUCE_H
#define GLNN__OPS_REDUCE_H

#include "pass/pass.h"

#include <glnn/reduce.h>

/* One step of a reduction; for those who time passes by it. */
extern const glnn__kernel glnn__reduce_kernel;
enum {
    GLNN__REDUCE_REDUCTION,
    GLNN__REDUCE_AXIS,
    GLNN__REDUCE_FLAT,
    GLNN__REDUCE_LINE
}; /* options */
enum {
    GLNN__REDUCE_SCALE,
    GLNN__REDUCE_SPREAD,
    GLNN__REDUCE_STRIDE,
    GLNN__REDUCE_REACH,
    GLNN__REDUCE_EXTENT
}; /* uniforms */

/* glnn_reduce of what has been checked. `combs`: neighbouring fragments read side by side, not runs of
 * their own. */
glnn_status glnn__reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis, bool combs,
                         const glnn_matrix *x, glnn_matrix *out);

#endif
