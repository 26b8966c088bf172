/* The two steps of a softmax: statistics of rows, which losses need too, and the quotients. */
#ifndef GLNN__OPS_SOFTMAX_H
#define GLNN__OPS_SOFTMAX_H

#include "tex/matrix.h"

/* The statistics of the rows of x (m x n). Column 0 of out (m x 2) is max_j x_ij, and column 1 is
 * log(sum_j exp(x_ij - max)). One pass; two if rows are longer than 512. */
glnn_status glnn__row_stats(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* The softmax of the first `count` rows of x (m x n), from their statistics (m x 2 or more). The
 * other rows of out become zero. If out is m x (n + 1) instead of m x n, its last column has the
 * log-sum-exp of each row. One pass. */
glnn_status glnn__softmax_rows(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *stats,
                               int count, glnn_matrix *out);

#endif
