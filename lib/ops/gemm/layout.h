/* The choice of a layout for matrices that are created with AUTO. */
#ifndef GLNN__OPS_GEMM_LAYOUT_H
#define GLNN__OPS_GEMM_LAYOUT_H

#include "gl/gl.h"

#include <glnn/matrix.h>

/* A product of rows x inner by inner x columns that the matrices will take part in. */
typedef struct glnn__layout_use {
    int rows, columns, inner;
    bool transpose_a, transpose_b;
} glnn__layout_use;

/* Replaces AUTO in *layout. In the compute stage it becomes TILED or PACKED, whichever takes less
 * time for these products by the device profile. In the fragment stage and on a software rasteriser
 * it becomes TILED. */
glnn_status glnn__layout_choose(glnn_context *ctx, const glnn__layout_use *uses, int count,
                                glnn_layout *layout);

/* The layout of a matrix that is created with AUTO. */
glnn_status glnn__layout_of_matrix(glnn_context *ctx, int rows, int columns, glnn_layout *out);

#endif
