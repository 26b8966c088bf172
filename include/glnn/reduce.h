/* glnn/reduce.h - reductions by rendering to ever smaller textures */
#ifndef GLNN_REDUCE_H
#define GLNN_REDUCE_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum glnn_reduction {
    GLNN_REDUCTION_SUM = 0,
    GLNN_REDUCTION_MEAN, /* the sum divided by the count of elements      */
    GLNN_REDUCTION_SUM_OF_SQUARES,
    GLNN_REDUCTION_MAX,
    GLNN_REDUCTION_MIN,
    GLNN_REDUCTION_ARGMAX,    /* the index of the greatest; ties: the lowest   */
    GLNN_REDUCTION_ARGMIN,    /* the index of the least; ties: the lowest      */
    GLNN_REDUCTION_LOGSUMEXP, /* log(sum exp(x)), without overflow                      */
    GLNN_REDUCTION_COUNT
} glnn_reduction;

GLNN_API const char *glnn_reduction_name(glnn_reduction reduction);
GLNN_API glnn_status glnn_reduction_from_name(const char *name, glnn_reduction *out);

/* The elements that are folded into one number. */
typedef enum glnn_axis {
    GLNN_AXIS_ALL = 0, /* all elements: out is 1 x 1  */
    GLNN_AXIS_ROWS,    /* each row: out is m x 1      */
    GLNN_AXIS_COLUMNS, /* each column: out is 1 x n   */
    GLNN_AXIS_COUNT
} glnn_axis;

GLNN_API const char *glnn_axis_name(glnn_axis axis);
GLNN_API glnn_status glnn_axis_from_name(const char *name, glnn_axis *out);

/* out = the reduction of x along an axis
 *
 * Shapes   x is m x n; out is 1 x 1, m x 1 or 1 x n.
 * Numbers  sums: |error| <= (32 p + 2) eps sum |x|, p the number of passes, eps = 2^-24;
 *          log-sum-exp: |error| <= p (64 + 2 |out| + log count) eps, since exponentials are taken
 *          relative to the greatest element; it is -infinity where all elements are, and infinity
 *          where one is. Max, min and indices are exact. An index counts columns along a row, rows
 *          along a column, and row * n + column over all elements (exact below 2^24). With NaN in
 *          x, sums and log-sum-exp are NaN and the others pass over it. All steps are float32; a
 *          FLOAT16 out holds indices exactly up to 2048.
 * Passes   at most one for each factor of 32 by which an axis shrinks.
 * Errors   E_ARG a null operand, a PAGED out, out is x, an unknown reduction or axis;
 *          E_SHAPE out has another shape; E_LIMIT more than 2^24 elements for an index over all,
 *          or no room for the passes between
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis,
                                 const glnn_matrix *x, glnn_matrix *out);

#ifdef __cplusplus
}
#endif
#endif
