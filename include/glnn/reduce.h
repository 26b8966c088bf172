/** @file
 *  @ingroup glnn_ops
 *  @brief Reductions: sums, extremes and their indices, of rows, columns or a whole matrix, and
 *         sums of the rows that an index sends to the same row.
 *
 * The library reduces by rendering to ever smaller matrices: each pass folds 32 to 128 neighbours
 * into one element, until one element of each row or column is left. */
#ifndef GLNN_REDUCE_H
#define GLNN_REDUCE_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

/** How several elements become one number. */
typedef enum glnn_reduction {
    GLNN_REDUCTION_SUM = 0,        /**< their sum */
    GLNN_REDUCTION_MEAN,           /**< their sum divided by their count */
    GLNN_REDUCTION_SUM_OF_SQUARES, /**< the sum of their squares */
    GLNN_REDUCTION_MAX,            /**< the greatest */
    GLNN_REDUCTION_MIN,            /**< the least */
    GLNN_REDUCTION_ARGMAX,         /**< the index of the greatest; of several, the lowest */
    GLNN_REDUCTION_ARGMIN,         /**< the index of the least; of several, the lowest */
    GLNN_REDUCTION_LOGSUMEXP,      /**< log(sum exp(x)), without overflow */
    GLNN_REDUCTION_COUNT
} glnn_reduction;

/** The name of a reduction: "sum", "mean", "sum_of_squares", "max", "min", "argmax", "argmin",
 * "logsumexp". @since 0.2 */
GLNN_API const char *glnn_reduction_name(glnn_reduction reduction);

/** The reduction with a name. @since 0.2 */
GLNN_API glnn_status glnn_reduction_from_name(const char *name, glnn_reduction *out);

/** Which elements become one number. */
typedef enum glnn_axis {
    GLNN_AXIS_ALL = 0, /**< all elements of the matrix: one number */
    GLNN_AXIS_ROWS,    /**< those of each row: a column of numbers */
    GLNN_AXIS_COLUMNS, /**< those of each column: a row of numbers */
    GLNN_AXIS_COUNT
} glnn_axis;

/** The name of an axis: "all", "rows", "columns". @since 0.2 */
GLNN_API const char *glnn_axis_name(glnn_axis axis);

/** The axis with a name. @since 0.2 */
GLNN_API glnn_status glnn_axis_from_name(const char *name, glnn_axis *out);

/** Reduces each row, each column or all elements to one number.
 *
 * An index is the number of the column within a row, the number of the row within a column, or
 * row * n + column within the whole matrix, all from 0. It is stored as a float; a FLOAT16 out
 * holds indices up to 2048 exactly.
 *
 * @shapes  x is m x n; out is 1 x 1 for ALL, m x 1 for ROWS and 1 x n for COLUMNS.
 * @numbers With p passes, c elements for one number and eps = 2^-24: sums have
 *          |error| <= (32 p + 2) eps sum |x|. The log-sum-exp has
 *          |error| <= p (64 + 2 |out| + log c) eps. It is -infinity if all elements are -infinity,
 *          and infinity if one is infinity. Maxima, minima and indices are exact. If an element is
 *          NaN, sums, means and the log-sum-exp are NaN; the other reductions ignore it.
 * @passes  Along an axis of c elements, the number of times that c has to be divided by 32 to reach
 *          1, or fewer.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED or is x; the
 *     reduction or the axis is unknown.
 *   - GLNN_E_SHAPE: out does not have the shape for the axis.
 *   - GLNN_E_LIMIT: an index over all of more than 2^24 elements; the texture budget has no room
 *     for the results between two passes.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_reduce(glnn_context *ctx, glnn_reduction reduction, glnn_axis axis,
                                 const glnn_matrix *x, glnn_matrix *out);

/** Adds up the rows of a matrix that an index sends to the same row.
 *
 *      row r of out = beta (row r of out) + alpha (sum of all rows i of x with index[i] = r)
 *
 * With ones for x it counts: a histogram. With beta = 0 the former elements of out are not read,
 * and rows that no entry names become zero.
 *
 * @param   index a column of row numbers of out from 0, each stored as a float. A fraction is cut
 *                off. Entries that are negative, NaN or not below the rows of out add nothing.
 *                FLOAT16 holds numbers up to 2048 exactly.
 * @shapes  x is m x n, index is m x 1, out is r x n.
 * @numbers Each sum is computed in the order of the rows of x, so two calls give the same bits.
 *          With c rows of x in a sum, |error| <= (c + 2) 2^-24 (sum |alpha x| + |beta out|). A
 *          FLOAT16 out is rounded after each 8192 rows of x.
 * @passes  Four or five for each 8192 rows of x; two for at most 16 rows.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED, or is x or index.
 *   - GLNN_E_SHAPE: index is not a column with the rows of x; x and out have different numbers of
 *     columns.
 *   - GLNN_E_LIMIT: out has more than 4 times as many rows as the largest texture is wide; the
 *     texture budget has no room for the results between two passes.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_scatter_add_rows(glnn_context *ctx, float alpha, const glnn_matrix *x,
                                           const glnn_matrix *index, float beta, glnn_matrix *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
