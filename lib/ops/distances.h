/* Squared distances between rows. A product finds all of them, up to a term that does not depend on
 * the second matrix. Near a prototype this cancels to rounding errors, so the distances that
 * learning depends on are computed again from differences. */
#ifndef GLNN__OPS_DISTANCES_H
#define GLNN__OPS_DISTANCES_H

#include "tex/matrix.h"

/* out (1 x m) = the squared norms of the rows of x (m x n). One pass; two for long rows. */
glnn_status glnn__row_norms(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* out (n x k) = |m_j|^2 - 2 x_i m_j = |x_i - m_j|^2 - |x_i|^2 for the rows of x (n x f) and m (k x
 * f); `norms` (1 x k) are those of m. One product.
 *
 * Numbers  |error| <= 2^-24 ((2 f + 6) sum |x| |m| + (f + 2) sum m^2). */
glnn_status glnn__row_scores(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *m,
                             const glnn_matrix *norms, glnn_matrix *out);

/* The squared distances, from differences, of each of the first `count` rows of x (n x f) to two
 * rows of m: `winners` (n x 4) names them in columns 0 and 2, with -1 for none. Fragments sum
 * slices of the features, so that few rows occupy a device too: the distances are the sums over s
 * of columns 4 s and 4 s + 1 of `out` (n x glnn__pair_distance_columns(f), PACKED), which are 0
 * without a row. One pass.
 *
 * Numbers  |error| <= 2^-24 (f / 4 + 6) |x - m|^2. */
glnn_status glnn__pair_distances(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *m,
                                 const glnn_matrix *winners, int count, glnn_matrix *out);
int glnn__pair_distance_columns(int features);

#endif
