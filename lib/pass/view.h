/* Operand views: affine maps from the coordinates of an output to those of an operand. Copy,
 * transpose, outer product and slicing differ only in their views. */
#ifndef GLNN__PASS_VIEW_H
#define GLNN__PASS_VIEW_H

#include "tex/layout.h"

/* Element (i, j) of the output corresponds to element (row . (i, j, 1), column . (i, j, 1)) of the
 * operand. The coefficients are integers, because a float is exact only up to 2^24. A view of zeros
 * is the identity. */
typedef struct glnn__view {
    int row[3], column[3];
    bool is_given; /* false: the identity, whatever row and column say */
} glnn__view;

glnn__view glnn__view_transposed(void);

/* Element (i, j) of the output corresponds to (i + row, j + column) of the operand. */
glnn__view glnn__view_shifted(int row, int column);

/* Row 0, column 0 or element (0, 0) of the operand corresponds to every row, column or element of
 * the output. */
glnn__view glnn__view_broadcast(bool rows, bool columns);

/* Not a map: the rectangle of an operand that the text of a program's kernel reads as a matrix of
 * its own, transposed or not. Such a kernel lists all operands as unviewed. */
glnn__view glnn__view_rectangle(const glnn_rect *rect, bool is_transposed);

/* The composition of two views: `second` maps the result of `first`. */
glnn__view glnn__view_compose(const glnn__view *second, const glnn__view *first);

/* The ways in which a shader can apply a view, from fast to general. Shaders know the names. */
typedef enum glnn__reading {
    GLNN__READING_SAME = 0, /* block by block: the identity between equal layouts       */
    GLNN__READING_TEXELS,   /* texel by texel: columns keep their order and alignment    */
    GLNN__READING_SQUARES,  /* transposed, as many columns at a time as a texel holds    */
    GLNN__READING_ROW,      /* the operand's first row, for all rows                     */
    GLNN__READING_COLUMN,   /* the operand's first column, for all columns               */
    GLNN__READING_LINE,     /* the operand's first column as a row, for all rows         */
    GLNN__READING_ELEMENTS  /* element by element: every affine map                      */
} glnn__reading;

/* The same view, with the coefficients of the identity filled in. */
glnn__view glnn__view_resolve(const glnn__view *view);

/* `is_covered`: the operand has at least the rows and columns of the output, and its texture is
 * wrapped alike. */
glnn__reading glnn__view_reading(const glnn__view *view, glnn_layout operand, glnn_layout output,
                                 bool is_covered);

#endif
