/* Linear combinations, out of place. */
#ifndef GLNN__OPS_COMBINE_H
#define GLNN__OPS_COMBINE_H

#include "tex/matrix.h"

/* out = factor * out + alpha * x + beta * y, all of one shape; x and y are not out. One pass. */
glnn_status glnn__combine(glnn_context *ctx, float alpha, const glnn_matrix *x, float beta,
                          const glnn_matrix *y, float factor, glnn_matrix *out);

#endif
