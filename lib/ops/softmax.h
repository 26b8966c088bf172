/* Softmax in parts: the statistics of rows, which losses need too, and the quotients. */
#ifndef GLNN__OPS_SOFTMAX_H
#define GLNN__OPS_SOFTMAX_H

#include "tex/matrix.h"

/* out (m x 2) = max_j x_ij, log(sum_j exp(x_ij - max)). One pass; two where rows
 * are longer than 512. */
glnn_status glnn__row_stats(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* The softmax of the first `count` rows of x (m x n) by their statistics (m x 2 or more); the other
 * rows are zero. `out` is m x n, or m x (n + 1): then its last column has max_j x_ij + log(sum),
 * the log-sum-exp of the row. One pass. */
glnn_status glnn__softmax_rows(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *stats,
                               int count, glnn_matrix *out);

#endif
