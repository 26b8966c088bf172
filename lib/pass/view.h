/* Operand views: affine maps from the coordinates of an output to those of an operand. They are
 * what texture coordinates were in the original GPGPU style, and they make copy, transpose, outer
 * product and slicing the same idea. */
#ifndef GLNN__PASS_VIEW_H
#define GLNN__PASS_VIEW_H

#include "tex/layout.h"

#include <cglm/cglm.h>

/* (column, row, 1) of the output, times `map`, is (column, row, 1) of the operand. All entries are
 * integers. A view of zeros is the identity. */
typedef struct glnn__view {
    mat3 map;
} glnn__view;

glnn__view glnn__view_transposed(void);

/* Element (i, j) of the output lies over (i + row, j + column) of the operand. */
glnn__view glnn__view_shifted(int row, int column);

/* Row 0, column 0 or element (0, 0) of the operand lies under every row, column or element. */
glnn__view glnn__view_broadcast(bool rows, bool columns);

/* First `first`, then `second`: what `second` says of the coordinates that `first` gives. */
glnn__view glnn__view_compose(const glnn__view *second, const glnn__view *first);

/* How a shader follows a view, from fast to general. The values are known to operand.glsl. */
typedef enum glnn__reading {
    GLNN__READING_SAME = 0, /* block by block: the identity between equal layouts       */
    GLNN__READING_TEXELS,   /* texel by texel: columns keep their order and alignment    */
    GLNN__READING_SQUARES,  /* transposed, as many columns at a time as a texel has      */
    GLNN__READING_ROW,      /* the operand's first row, under all rows                   */
    GLNN__READING_COLUMN,   /* the operand's first column, under all columns             */
    GLNN__READING_LINE,     /* the operand's first column, laid under all rows           */
    GLNN__READING_ELEMENTS  /* element by element: every affine map                      */
} glnn__reading;

/* `is_covered`: the operand has at least the rows and columns of the output. */
glnn__reading glnn__view_reading(const glnn__view *view, glnn_layout operand, glnn_layout output,
                                 bool is_covered);

/* The map as integers for the shader: row = (row, column, 1) . out[0..2], column = ... out[3..5] */
void glnn__view_integers(const glnn__view *view, int out[6]);

#endif
