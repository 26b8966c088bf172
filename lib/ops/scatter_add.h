/* Sums over the samples that belong to a prototype, in the order of samples.
 *
 * Each sample names up to two prototypes: moves (rows x 4, PACKED) holds index, coefficient, index,
 * coefficient. An index of -1 or a coefficient of 0 names none. Entry 2 i + e is the e-th of row i;
 * linking strings the entries of each prototype together in ascending order. */
#ifndef GLNN__OPS_SCATTER_ADD_H
#define GLNN__OPS_SCATTER_ADD_H

#include "tex/matrix.h"

/* What linking finds; zeros before members_create. */
typedef struct glnn__members {
    glnn_matrix
        *segments; /* segments x prototypes: the first entry of each in each segment; -1 none */
    glnn_matrix
        *first; /* 1 x prototypes: the first entry of all; NULL where there is one segment */
    glnn_matrix
        *links; /* rows x 4: next entry, coefficient, next entry, coefficient; -1 last     */
    int count;  /* rows of the latest batch */
} glnn__members;

/* For batches of up to `rows` samples and `prototypes` prototypes.
 * Errors: E_LIMIT, E_NOMEM, E_GL; *out is zeros then. */
glnn_status glnn__members_create(glnn_context *ctx, int rows, int prototypes, glnn__members *out);
void glnn__members_destroy(glnn__members *members);

/* Links rows 0 to count - 1 of `moves`, which the calls below are to be given as it was. Three
 * passes, fewer for small batches. */
glnn_status glnn__members_link(glnn_context *ctx, const glnn_matrix *moves, int count,
                               glnn__members *members);

/* How far a prototype may go. P is the sum of its positive coefficients, N that of the others' absolute
 * values; 0 is no limit. */
typedef struct glnn__member_limits {
    float total;  /* where P + N is more, the whole move is multiplied by total / (P + N)        */
    float excess; /* where N is more than P + excess, what the negative coefficients add is first
                     multiplied by (P + excess) / N                                              */
} glnn__member_limits;

/* m = m + sum of a (x - m) over the entries of each prototype, a the coefficient, x the sample and
 * m the prototype before: prototypes x features. One pass; two of few blocks where few samples meet
 * many prototypes. */
glnn_status glnn__members_move(glnn_context *ctx, const glnn__members *members,
                               const glnn_matrix *moves, const glnn_matrix *samples,
                               glnn__member_limits limits, glnn_matrix *prototypes);

/* sums (prototypes x features) = keep * sums + sum of a x; weights (prototypes x 1) = keep * weights
 * + sum of a, and in a second column, where there is one, the same of |a|. Either may be NULL. One
 * pass each. */
glnn_status glnn__members_sum(glnn_context *ctx, const glnn__members *members,
                              const glnn_matrix *moves, const glnn_matrix *samples, float keep,
                              glnn_matrix *sums, glnn_matrix *weights);

/* pushes (prototypes x features) = keep * pushes + sum of a x over the negative coefficients. */
glnn_status glnn__members_sum_pushes(glnn_context *ctx, const glnn__members *members,
                                     const glnn_matrix *moves, const glnn_matrix *samples,
                                     float keep, glnn_matrix *pushes);

#endif
