/* glnn/copy.h - moving elements: copy, slice, transpose, gather
 *
 * All operands may have any layout and storage, mixed too: copying is also how those are
 * changed. */
#ifndef GLNN_COPY_H
#define GLNN_COPY_H

#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out = x. Shapes: both m x n. Passes: one. Numbers: exact.
 * Errors: E_ARG a null operand, a PAGED out; E_SHAPE the shapes differ.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_copy(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* Copies the rectangle `from` of x to the place (row, column) of out; the rest of out stays.
 *
 * Shapes   `from` lies inside x (NULL: all of it) and fits into out at (row, column).
 * Numbers  exact. x may be out; the rectangles may overlap.
 * Passes   one.
 * Errors   E_ARG a null operand, a PAGED out; E_SHAPE a rectangle is empty or leaves its matrix
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_copy_rect(glnn_context *ctx, const glnn_matrix *x, const glnn_rect *from,
                                    glnn_matrix *out, int row, int column);

/* out = x transposed. Shapes: x is m x n, out n x m. Passes: one. Numbers: exact. x may be out
 * where m = n. Errors: E_ARG a null operand, a PAGED out; E_SHAPE out is not n x m.
 * Thread: the context's own. Since 0.1 */
GLNN_API glnn_status glnn_transpose(glnn_context *ctx, const glnn_matrix *x, glnn_matrix *out);

/* Row i of out = row index[first + i] of x, for i < count; the rows after them are zero
 *
 * Shapes   x is m x n, out is r x n, 0 <= count <= r, index has first + count rows and 1 column.
 * Numbers  exact. An index is a float with an integer in [0, m); below 0 it counts as 0, from m on
 *          as m - 1, and a fraction is cut off. FLOAT16 holds indices exactly up to 2048.
 * Passes   one.
 * Errors   E_ARG a null operand, a PAGED out, first or count < 0; E_SHAPE columns differ, index is
 *          no column or too short, count > r
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_gather_rows(glnn_context *ctx, const glnn_matrix *x,
                                      const glnn_matrix *index, int first, int count,
                                      glnn_matrix *out);

#ifdef __cplusplus
}
#endif
#endif
