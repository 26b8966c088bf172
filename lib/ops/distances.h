/* Squared distances between rows. A matrix product computes them for all pairs of rows, up to a
 * term that does not depend on the second matrix. If two rows are close, the digits of this form
 * cancel. The distances that learning depends on are therefore computed again, from differences. */
#ifndef GLNN__OPS_DISTANCES_H
#define GLNN__OPS_DISTANCES_H

#include "tex/matrix.h"

/* The squared norms of the rows of x (m x n), as a row: out is 1 x m. One pass; two for long
 * rows. */
glnn_status glnn__row_norms(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* Scores of all pairs of rows of x (n x f) and m (k x f):
 *
 *     out_ij = |m_j|^2 - 2 x_i m_j = |x_i - m_j|^2 - |x_i|^2
 *
 * `norms` (1 x k) has the squared norms of the rows of m, and out is n x k. One product.
 *
 * Numbers  |error| <= 2^-24 ((2 f + 6) sum |x| |m| + (f + 2) sum m^2). */
glnn_status glnn__row_scores(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *m,
                             const glnn_matrix *norms, glnn_matrix *out);

/* The squared distances of each of the first `count` rows of x (n x f) to two rows of m, computed
 * from differences. Columns 0 and 2 of `winners` (n x 4) have the numbers of the two rows, or -1
 * for none.
 *
 * The features are summed in slices, so that few rows occupy a device too. Columns 4 s and 4 s + 1
 * of `out` have the sums over slice s, and the distances are the sums of these over all s. Without
 * a row they are 0. `out` is PACKED with n rows and glnn__pair_distance_columns(f) columns. One
 * pass.
 *
 * Numbers  |error| <= 2^-24 (f / 4 + 6) |x - m|^2. */
glnn_status glnn__pair_distances(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *m,
                                 const glnn_matrix *winners, int count, glnn_matrix *out);
int glnn__pair_distance_columns(int features);

#endif
