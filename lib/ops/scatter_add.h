/* Scatter-add: sums over the samples that name the same row, in the order of the samples.
 *
 * Each sample names up to two rows, with a coefficient for each. A row of `moves` (PACKED, 4 or
 * more columns) has index, coefficient, index, coefficient. An index of -1 or a coefficient of 0
 * names no row. Such a pair is an entry: entry 2 i + e is the e-th of sample i. Before sums are
 * computed, entries are linked: each to the next one of the same row. */
#ifndef GLNN__OPS_SCATTER_ADD_H
#define GLNN__OPS_SCATTER_ADD_H

#include "pass/pass.h"

/* Links between entries. */
typedef struct glnn__scatter_add {
    glnn_matrix *segments; /* segments x rows: the first entry of each row in each segment of
                              samples, infinity if there is none */
    glnn_matrix *first;    /* 1 x rows: the first entry of each row; NULL if there is one segment */
    glnn_matrix *links;    /* samples x 4: next entry, coefficient, next entry, coefficient;
                              infinity after the last one */
    int count;             /* samples that are linked */
} glnn__scatter_add;

/* For batches of up to `samples` samples, and `rows` rows.
 * Errors: E_LIMIT, E_NOMEM, E_GL; *out then holds zeros. */
glnn_status glnn__scatter_add_create(glnn_context *ctx, int samples, int rows,
                                     glnn__scatter_add *out);
void glnn__scatter_add_destroy(glnn__scatter_add *scatter);

/* Links samples 0 to count - 1 of `moves`. The calls below need the same moves. Three passes, or
 * fewer for small batches. */
glnn_status glnn__scatter_add_link(glnn_context *ctx, const glnn_matrix *moves, int count,
                                   glnn__scatter_add *scatter);

/* Limits for the move of a row; 0 means none. P is the sum of the row's positive coefficients, N
 * the sum of the absolute values of the negative ones. */
typedef struct glnn__move_limits {
    float total; /* if P + N is more, the whole move is multiplied by total / (P + N)           */
    glnn__uniform
        excess; /* if N is more than P + excess, the part of the negative coefficients is first
                     multiplied by (P + excess) / N                                              */
} glnn__move_limits;

/* Moves each row m of `rows` (rows x features) to m + sum of a (x - m) over its entries, where a is
 * the coefficient and x the sample. One pass. With few samples and many rows it only draws the rows
 * that are named. */
glnn_status glnn__scatter_add_move(glnn_context *ctx, const glnn__scatter_add *scatter,
                                   const glnn_matrix *moves, const glnn_matrix *samples,
                                   glnn__move_limits limits, glnn_matrix *rows);

/* Adds up samples and coefficients:
 *
 *     sums    = factor * sums    + sum of a x    (rows x features)
 *     weights = factor * weights + sum of a      (rows x 1)
 *
 * If weights has a second column, it receives the same sum of |a|. Either matrix may be NULL. One
 * pass each. */
glnn_status glnn__scatter_add_sum(glnn_context *ctx, const glnn__scatter_add *scatter,
                                  const glnn_matrix *moves, const glnn_matrix *samples,
                                  float factor, glnn_matrix *sums, glnn_matrix *weights);

/* pushes (rows x features) = factor * pushes + sum of a x over the negative coefficients. */
glnn_status glnn__scatter_add_sum_pushes(glnn_context *ctx, const glnn__scatter_add *scatter,
                                         const glnn_matrix *moves, const glnn_matrix *samples,
                                         float factor, glnn_matrix *pushes);

#endif
