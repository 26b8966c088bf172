/* Arithmetic of two operands that is not public. */
#ifndef GLNN__OPS_BINARY_H
#define GLNN__OPS_BINARY_H

#include "tex/matrix.h"

/* out = x / sqrt(y), with y broadcast as in glnn_binary_apply. One pass. */
glnn_status glnn__divide_by_root(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *y,
                                 glnn_matrix *out);

#endif
