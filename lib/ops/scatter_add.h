/* Scatter-add: sums over the samples that name the same row, in the order of the samples.
 *
 * Each sample names up to two rows: moves (samples x 4 or more columns, PACKED) holds index,
 * coefficient, index, coefficient. An index of -1 or a coefficient of 0 names none. Entry 2 i + e
 * is the e-th of sample i; linking finds for each entry the next one of the same row. */
#ifndef GLNN__OPS_SCATTER_ADD_H
#define GLNN__OPS_SCATTER_ADD_H

#include "tex/matrix.h"

/* Links between entries; zeros before creation. */
typedef struct glnn__scatter_add {
    glnn_matrix *segments; /* segments x rows: the first entry of each row in each segment, infinity
                              if there is none */
    glnn_matrix *first; /* 1 x rows: the first entry of all; NULL if there is one segment        */
    glnn_matrix *links; /* samples x 4: next entry, coefficient, next entry, coefficient;
                              infinity after the last one */
    int count;          /* samples that were linked last */
} glnn__scatter_add;

/* For batches of up to `samples` samples, and `rows` rows.
 * Errors: E_LIMIT, E_NOMEM, E_GL; *out is zeros then. */
glnn_status glnn__scatter_add_create(glnn_context *ctx, int samples, int rows,
                                     glnn__scatter_add *out);
void glnn__scatter_add_destroy(glnn__scatter_add *scatter);

/* Links samples 0 to count - 1 of `moves`, which the calls below need unchanged. Three passes, or
 * fewer for small batches. */
glnn_status glnn__scatter_add_link(glnn_context *ctx, const glnn_matrix *moves, int count,
                                   glnn__scatter_add *scatter);

/* How far a row may move. P is the sum of its positive coefficients, N that of the others' absolute
 * values; 0 is no limit. */
typedef struct glnn__move_limits {
    float total;  /* if P + N is more, the whole move is multiplied by total / (P + N)           */
    float excess; /* if N is more than P + excess, the part of the negative coefficients is first
                     multiplied by (P + excess) / N                                              */
} glnn__move_limits;

/* m = m + sum of a (x - m) over the entries of each row m of `rows` (rows x features), a the
 * coefficient and x the sample. One pass, which draws only the rows that are named if few samples
 * meet many rows. */
glnn_status glnn__scatter_add_move(glnn_context *ctx, const glnn__scatter_add *scatter,
                                   const glnn_matrix *moves, const glnn_matrix *samples,
                                   glnn__move_limits limits, glnn_matrix *rows);

/* sums (rows x features) = factor * sums + sum of a x; weights (rows x 1) = factor * weights + sum
 * of a. A second column of weights, if it exists, gets the same sum of |a|. Either may be NULL. One
 * pass each. */
glnn_status glnn__scatter_add_sum(glnn_context *ctx, const glnn__scatter_add *scatter,
                                  const glnn_matrix *moves, const glnn_matrix *samples,
                                  float factor, glnn_matrix *sums, glnn_matrix *weights);

/* pushes (rows x features) = factor * pushes + sum of a x over the negative coefficients. */
glnn_status glnn__scatter_add_sum_pushes(glnn_context *ctx, const glnn__scatter_add *scatter,
                                         const glnn_matrix *moves, const glnn_matrix *samples,
                                         float factor, glnn_matrix *pushes);

#endif
