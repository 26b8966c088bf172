/* A matrix product: one structure describes it, from the operation or the learner that fills it in
 * to the choice of its plan. */
#ifndef GLNN__OPS_GEMM_PRODUCT_H
#define GLNN__OPS_GEMM_PRODUCT_H

#include "pass/pass.h"

#include <glnn/gemm.h>

/* ---- Windows of images as the factor A: a convolution without a matrix of the windows */

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
        glnn__sides image, grid, kernel, stride, padding, dilation;
        glnn__sides period; /* glnn__window_period(stride, dilation) */
        int groups;         /* column groups of A that an element of the product reads */
        /* With channels in groups, the columns of the output that belong to a group, a multiple of
         * four. The columns of the next group read the next column groups of A. 0: one group. */
        int columns;
    };
    int constants[GLNN__MAX_CONSTANTS];
} glnn__window;

#define GLNN__WINDOW_CONSTANTS                                                                     \
    "WINDOW", "IMAGE_HEIGHT", "IMAGE_WIDTH", "GRID_HEIGHT", "GRID_WIDTH", "KERNEL_HEIGHT",         \
        "KERNEL_WIDTH", "STRIDE_HEIGHT", "STRIDE_WIDTH", "PADDING_HEIGHT", "PADDING_WIDTH",        \
        "DILATION_HEIGHT", "DILATION_WIDTH", "PERIOD_HEIGHT", "PERIOD_WIDTH", "WINDOW_GROUPS",     \
        "WINDOW_COLUMNS"

/* Their number. A kernel may have more constants after them. */
#define GLNN__WINDOW_CONSTANT_COUNT 17

extern const glnn__enumerator glnn__window_modes[];

/* Backward, a pixel of the grid meets every `period`-th tap or none. */
glnn__sides glnn__window_period(glnn__sides stride, glnn__sides dilation);

/* ---- Products */

/* c = output_factor * c + f(alpha * op(a) op(b) + beta * addend + bias) [* g'(derivative_of)]
 *
 * The caller has checked it. It can do more than glnn_gemm: with transpose_b, b may have more rows
 * than are read, and the addend need not be c. If output_factor is not 0, the addend must not be
 * c. */
typedef struct glnn__product {
    const glnn_matrix *a, *b, *addend, *bias, *derivative_of;
    glnn_matrix *c;
    glnn__uniform alpha, beta, output_factor;
    const glnn__epilogue *epilogue; /* of the pass that finishes c; NULL: none */
    glnn_map activation, derivative;
    int partials; /* above 0: a has so many partial products, one below the other, in the layout
                     of c; b is not read */
    bool skips_factors; /* op(a) op(b) counts as zero, and a and b are not read */

    /* All that the plan depends on, but for the profile. There is no padding between the members,
     * because products are compared and hashed as bytes. */
    glnn__window window; /* zeros: a is a matrix as any other */
    int slice;
    glnn_accumulate accumulate;
    bool transpose_a, transpose_b, augment;

    /* The rest is filled in by glnn__plan_choose: the product as rows x inner by inner x columns,
     * without the constant unit of `augment`. */
    bool can_stack; /* a fragment may compute several blocks of c */
    int rows, columns, inner;
    int alike; /* columns of c that read the same elements of op(a); 0: all */
    glnn_layout layout;
    unsigned char layouts[GLNN__FACTORS], storages[GLNN__FACTORS + 1], wraps[GLNN__FACTORS + 1];
    unsigned char stage, tuning;
} glnn__product;

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product);

/* c = the sum of `slices` matrices of block_rows rows of blocks, which lie one below the other in
 * `sums`. */
glnn_status glnn__slices_add(glnn_context *ctx, const glnn_matrix *sums, int slices, int block_rows,
                             glnn_matrix *c);

/* sums = a' b if `is_first`, else sums + a' b. With `augment`, a has one more column, all ones. */
glnn_status glnn__product_sum(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                              bool augment, bool is_first, glnn_matrix *sums);

#endif
