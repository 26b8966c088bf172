/* A matrix product: its description, which operations and learners fill, and the call that runs
 * it. */
#ifndef GLNN__OPS_GEMM_PRODUCT_H
#define GLNN__OPS_GEMM_PRODUCT_H

#include "pass/pass.h"

#include <glnn/gemm.h>

/* c = output_factor * c + f(alpha * op(a) op(b) + beta * addend + bias) [* g'(derivative_of)]
 *
 * The caller has checked it. Other than for glnn_gemm, b may have more rows than are read
 * (transpose_b), and the addend need not be c. An output_factor other than 0 excludes that the
 * addend is c. */
typedef struct glnn__product {
    const glnn_matrix *a, *b, *addend, *bias, *derivative_of;
    glnn_matrix *c;
    float alpha, beta, output_factor;
    bool transpose_a, transpose_b, augment;
    bool skips_factors; /* op(a) op(b) counts as zero, and a and b are not read */
    glnn_map activation, derivative;
    int slice;
    glnn_accumulate accumulate;
    const glnn__epilogue *epilogue; /* of the pass that finishes c; NULL: none */
} glnn__product;

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product);

/* sums = a' b, or sums + a' b unless `is_first`; with `augment` a has a column of ones more. */
glnn_status glnn__product_sum(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                              bool augment, bool is_first, glnn_matrix *sums);

/* A product of rows x inner by inner x columns, into a layout. */
typedef struct glnn__shape {
    glnn_layout layout;
    int rows, columns, inner;
} glnn__shape;

/* The shape of a product, without the constant unit of `augment`. */
glnn__shape glnn__product_shape(const glnn__product *product);

/* Whether it has so few multiply-adds that the way to read and the number of fragments do not
 * matter. */
bool glnn__shape_is_short(const glnn__shape *shape);

/* Whether the finished sum goes through a map. */
bool glnn__product_maps(const glnn__product *product);

/* Whether an operand other than the addend is the output. */
bool glnn__product_reads_output(const glnn__product *product);

/* Whether beta * c is left to blending. */
bool glnn__product_adds_in_place(const glnn__product *product);

/* Everything that the choice of a plan depends on, other than the profile's age. Bytes without a
 * value are zero, so that two keys can be compared and hashed as bytes. */
typedef struct glnn__gemm_key {
    glnn__shape shape;
    int slice;
    unsigned char layouts[3], storages[3]; /* of a, b and c */
    unsigned char transpose_a, transpose_b, augment;
    unsigned char finish; /* what follows the sum */
    unsigned char stage, tuning, accumulate;
    unsigned char can_stack; /* a fragment may compute several blocks of c */
} glnn__gemm_key;

void glnn__gemm_key_fill(const glnn_context *ctx, const glnn__product *product, bool can_stack,
                         glnn__gemm_key *out);

/* The key as a line of the file that stores the winners of races. */
void glnn__gemm_key_write(const glnn__gemm_key *key, char *text, size_t size);

#endif
