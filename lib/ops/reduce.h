/* Reductions whose order is the caller's choice: for tests. */
#ifndef GLNN__OPS_REDUCE_H
#define GLNN__OPS_REDUCE_H

#include "pass/pass.h"

#include <glnn/reduce.h>

/* glnn_reduce of what has been checked. `combs`: neighbouring fragments read side by side, not runs of
 * their own. */
glnn_status glnn__reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis, bool combs,
                         const glnn_matrix *x, glnn_matrix *out);

#endif
