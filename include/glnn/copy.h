/** @file
 *  @ingroup glnn_ops
 *  @brief Moving elements: copies, rectangles, transposes, gathered rows.
 *
 * The operands may have any layout and storage, also different ones, and `out` may be one of them
 * if the shapes allow it. A copy is the way to change the layout or the storage of a matrix.
 * Elements are copied exactly. Only a FLOAT16 `out` rounds those of a float32 operand. */
#ifndef GLNN_COPY_H
#define GLNN_COPY_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

/** Copies a matrix.
 *
 *      out = x
 *
 * @shapes  x and out are m x n.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED.
 *   - GLNN_E_SHAPE: x and out differ.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_copy(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/** Copies a rectangle of one matrix to a place in another. The rest of out keeps its elements.
 *
 * If out is x, the two rectangles may overlap.
 *
 * @param   from   the rectangle of x; NULL: all of x.
 * @param   row    the row of out where the copy begins, from 0.
 * @param   column the column of out where the copy begins, from 0.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED.
 *   - GLNN_E_SHAPE: the rectangle is empty, or does not lie inside x or inside out.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_copy_rect(glnn_context *ctx, const glnn_matrix *x, const glnn_rect *from,
                                    glnn_matrix *out, int row, int column);

/** Transposes a matrix.
 *
 *      out = x'
 *
 * @shapes  x is m x n, out is n x m.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED.
 *   - GLNN_E_SHAPE: out is not n x m.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_transpose(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/** Gathers rows by their numbers, for i from 0 to count - 1.
 *
 *      row i of out = row index[first + i] of x
 *
 * The rows of out from `count` on become zero.
 *
 * @param   index  a column of row numbers from 0, each stored as a float. A fraction is cut off.
 *                 Numbers below 0 count as 0, numbers from m on as m - 1. FLOAT16 holds numbers up
 *                 to 2048 exactly.
 * @param   first  the first entry of the index to use.
 * @param   count  the number of entries to use.
 * @shapes  x is m x n, out is r x n with r >= count, index is s x 1 with s >= first + count.
 * @passes  One.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED; first or count is
 *     negative.
 *   - GLNN_E_SHAPE: x and out have different numbers of columns; index is not a column; index or
 *     out has too few rows.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_gather_rows(glnn_context *ctx, const glnn_matrix *x,
                                      const glnn_matrix *index, int first, int count,
                                      glnn_matrix *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
