/* The kernels of matrix products. */
#ifndef GLNN__OPS_GEMM_KERNEL_H
#define GLNN__OPS_GEMM_KERNEL_H

#include "pass/pass.h"

/* In the compute stage work groups can share their fetches by the second kernel. Both have the same
 * operands, options and uniforms. */
extern const glnn__kernel glnn__gemm_kernel, glnn__gemm_shared_kernel;

/* Operands. */
enum { GLNN__GEMM_A, GLNN__GEMM_B, GLNN__GEMM_C, GLNN__GEMM_BIAS, GLNN__GEMM_Y };

/* Options. */
enum {
    GLNN__GEMM_TRANSPOSE_A,
    GLNN__GEMM_TRANSPOSE_B,
    GLNN__GEMM_UNIT,
    GLNN__GEMM_PARTIAL,
    GLNN__GEMM_ACTIVATION,
    GLNN__GEMM_DERIVATIVE,
    GLNN__GEMM_AHEAD,                       /* of fold */
    GLNN__GEMM_UNALIGNED = GLNN__GEMM_AHEAD /* of glnn__gemm_kernel */
};

/* Uniforms. */
enum {
    GLNN__GEMM_INNER_BEGIN,
    GLNN__GEMM_INNER_END,
    GLNN__GEMM_SLICE_LENGTH,
    GLNN__GEMM_SLICE_BLOCKS,
    GLNN__GEMM_ALPHA,
    GLNN__GEMM_BETA,
    GLNN__GEMM_SLICES
};

#endif
