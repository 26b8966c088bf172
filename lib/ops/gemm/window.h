/* Windows of images as the factor A of a matrix product: a convolution without a matrix of the
 * windows. */
#ifndef GLNN__OPS_GEMM_WINDOW_H
#define GLNN__OPS_GEMM_WINDOW_H

#include "pass/kernel.h"

typedef enum glnn__window_mode {
    GLNN__WINDOW_NONE = 0,
    GLNN__WINDOW_FORWARD,  /* a convolution; with transpose_a, the gradient of its weights */
    GLNN__WINDOW_BACKWARD, /* the gradient of its input; b is transposed                  */
    GLNN__WINDOW_FLAT      /* of images of one channel, one in a row; see convolution_flat.c */
} glnn__window_mode;

/* Rows and columns. */
typedef struct glnn__sides {
    int height, width;
} glnn__sides;

/* A holds images as pixels x channels. The rows of the product, or with transpose_a its inner
 * indices, are the pixels of the grid of each image. op(a) has four inner indices, or rows, for
 * each tap of the kernel and column group of a. b, or the output with transpose_a, is the matrix of
 * weights: for each tap a row for each channel, padded to a multiple of four, and then the biases.
 * With groups of channels, its rows are those of one group.
 *
 * The members are constants of the shader, which shaders/include/window.glsl describes. */
typedef union glnn__window {
    struct {
        int mode;
        glnn__sides image, grid, kernel, stride, padding;
        int groups; /* column groups of A that an element of the product reads */
        /* With channels in groups, the columns of the output that belong to a group, a multiple of
         * four. The columns of the next group read the next column groups of A. 0: one group. */
        int columns;
    };
    int constants[GLNN__MAX_CONSTANTS];
} glnn__window;

#define GLNN__WINDOW_CONSTANTS                                                                     \
    "WINDOW", "IMAGE_HEIGHT", "IMAGE_WIDTH", "GRID_HEIGHT", "GRID_WIDTH", "KERNEL_HEIGHT",         \
        "KERNEL_WIDTH", "STRIDE_HEIGHT", "STRIDE_WIDTH", "PADDING_HEIGHT", "PADDING_WIDTH",        \
        "WINDOW_GROUPS", "WINDOW_COLUMNS"

/* Their number. A kernel may have more constants after them. */
#define GLNN__WINDOW_CONSTANT_COUNT 13

extern const glnn__enumerator glnn__window_modes[];

/* With a stride, the gradient of the input is computed phase by phase, and a fold then puts its
 * rows in order; see window.glsl. */
bool glnn__window_is_phased(const glnn__window *window);

/* Rows of the output of a product into `rows` rows. They are more if they are ordered by phase. */
int glnn__window_rows(const glnn__window *window, int rows);

/* Inner indices, or rows with transpose_a, without the constant unit of `augment`: of a phase, the
 * most that there are. */
int glnn__window_lines(const glnn__window *window);

#endif
