/* Random matrix products, for the tests of gemm. */
#ifndef TESTS_PRODUCT_H
#define TESTS_PRODUCT_H

#include "reference.h"

/* One product of random operands: op(a) is m x k, op(b) is k x n. */
typedef struct product {
    int m, n, k; /* k counts the stored elements, without the ones of augment */
    glnn_layout a, b, c;
    glnn_storage stored_a, stored_b, stored_c;
    bool bias, derivative_of;
    float alpha, beta;
    glnn_gemm_desc desc;
} product;

/* Random elements, as they are stored. */
gemm_operands operands_of(const product *p);

/* Runs the product, and returns c; bias and y take the layouts and storages of a and b. */
glnn_matrix *run_product(const product *p, const gemm_operands *in);

/* c = a b by the kernel that reads both operands layer by layer, in tiers that can. */
glnn_status multiply_layered(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                             glnn_matrix *c);

/* The expected product. */
expected reference_product(const product *p, const gemm_operands *in);

/* Compares a product of new random operands with the reference. */
void check_product(const product *p);

/* The product on all layouts, the same for the three operands. */
void check_on_equal_layouts(product p);

/* Sets the transposes to 0 nn, 1 nt, 2 tn, 3 tt; the name of what is set. */
void set_transposes(product *p, int which);
const char *transposes_of(const glnn_gemm_desc *desc);

#endif
