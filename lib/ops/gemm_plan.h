/* Inner products as passes. */
#ifndef GLNN__OPS_GEMM_PLAN_H
#define GLNN__OPS_GEMM_PLAN_H

#include "tex/matrix.h"

#include <glnn/gemm.h>

/* c = f(alpha * op(a) op(b) + beta * addend + bias) [* g'(derivative_of)], checked before. Beside
 * glnn_gemm, learners use it: b may have more rows than are read (transpose_b), and the addend need
 * not be c. */
typedef struct glnn__product {
    const glnn_matrix *a, *b, *addend, *bias, *derivative_of;
    glnn_matrix *c;
    float alpha, beta;
    bool transpose_a, transpose_b, augment;
    glnn_map activation, derivative;
    int slice;
    glnn_accumulate accumulate;
} glnn__product;

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product);

#endif
