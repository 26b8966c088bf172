/* A matrix product: its description, which operations and learners fill in, and the call that runs
 * it. */
#ifndef GLNN__OPS_GEMM_PRODUCT_H
#define GLNN__OPS_GEMM_PRODUCT_H

#include "ops/gemm/window.h"
#include "pass/pass.h"

#include <glnn/gemm.h>

/* c = output_factor * c + f(alpha * op(a) op(b) + beta * addend + bias) [* g'(derivative_of)]
 *
 * The caller has checked it. It can do more than glnn_gemm: with transpose_b, b may have more rows
 * than are read, and the addend need not be c. If output_factor is not 0, the addend must not be
 * c. */
typedef struct glnn__product {
    const glnn_matrix *a, *b, *addend, *bias, *derivative_of;
    glnn_matrix *c;
    glnn__uniform alpha, beta, output_factor;
    bool transpose_a, transpose_b, augment;
    bool skips_factors; /* op(a) op(b) counts as zero, and a and b are not read */
    int partials; /* above 0: a has so many partial products, one below the other, in the layout
                     of c; b is not read */
    glnn_map activation, derivative;
    int slice;
    glnn_accumulate accumulate;
    const glnn__epilogue *epilogue; /* of the pass that finishes c; NULL: none */
    glnn__window window;            /* zeros: a is a matrix as any other */
} glnn__product;

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product);

/* c = the sum of `slices` matrices of block_rows rows of blocks, which lie one below the other in
 * `sums`. */
glnn_status glnn__slices_add(glnn_context *ctx, const glnn_matrix *sums, int slices, int block_rows,
                             glnn_matrix *c);

/* sums = a' b if `is_first`, else sums + a' b. With `augment`, a has one more column, all ones. */
glnn_status glnn__product_sum(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                              bool augment, bool is_first, glnn_matrix *sums);

/* A product of rows x inner by inner x columns, into an output of a layout. */
typedef struct glnn__shape {
    glnn_layout layout;
    int rows, columns, inner;
    int alike; /* columns of the output that read the same elements of op(a); 0: all */
} glnn__shape;

/* The shape of a product, without the constant unit of `augment`. */
glnn__shape glnn__product_shape(const glnn__product *product);

/* Whether a product has so few multiply-adds that its plan hardly matters. */
bool glnn__shape_is_short(const glnn__shape *shape);

/* Whether the finished sum goes through a map. */
bool glnn__product_maps(const glnn__product *product);

/* Whether an operand other than the addend is the output. */
bool glnn__product_reads_output(const glnn__product *product);

/* Whether blending adds beta * c. */
bool glnn__product_adds_in_place(const glnn__product *product);

/* Everything that the choice of a plan depends on, except the age of the profile. Padding bytes are
 * zero, so that keys can be compared and hashed as bytes. */
typedef struct glnn__gemm_key {
    glnn__shape shape;
    glnn__window window;
    int slice;
    unsigned char layouts[3], storages[3], wraps[3]; /* of a, b and c */
    unsigned char transpose_a, transpose_b, augment;
    unsigned char stage, tuning, accumulate;
    unsigned char can_stack; /* a fragment may compute several blocks of c */
} glnn__gemm_key;

void glnn__gemm_key_fill(const glnn_context *ctx, const glnn__product *product, bool can_stack,
                         glnn__gemm_key *out);

#endif
