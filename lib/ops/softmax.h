/* What softmax and its loss need to know of each row. */
#ifndef GLNN__OPS_SOFTMAX_H
#define GLNN__OPS_SOFTMAX_H

#include "tex/matrix.h"

/* out (m x 2) = max_j x_ij, log(sum_j exp(x_ij - max)). One pass; two where rows
 * are longer than 512. */
glnn_status glnn__row_stats(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

#endif
