/* glnn/gemm.h - matrix products and outer products
 *
 * All operands may have any layout and storage, mixed too. Sums have a fixed order: the same
 * operands, device and device profile (glnn/context.h) give the same bits. */
#ifndef GLNN_GEMM_H
#define GLNN_GEMM_H

#include <glnn/map.h>
#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the slices of a long inner dimension are summed. */
typedef enum glnn_accumulate {
    GLNN_ACCUMULATE_AUTO =
        0,                   /* PARTIAL where few blocks and a long inner dimension meet          */
    GLNN_ACCUMULATE_BLEND,   /* one pass a slice, added into the target by blending               */
    GLNN_ACCUMULATE_PARTIAL, /* one pass for all slices side by side, a second one that sums them */
    GLNN_ACCUMULATE_COUNT
} glnn_accumulate;

GLNN_API const char *glnn_accumulate_name(glnn_accumulate accumulate);
GLNN_API glnn_status glnn_accumulate_from_name(const char *name, glnn_accumulate *out);

/* The variants of a matrix product. Zeros mean the defaults. */
typedef struct glnn_gemm_desc {
    bool transpose_a;        /* op(a) = a transposed                                        */
    bool transpose_b;        /* op(b) = b transposed                                        */
    const glnn_matrix *bias; /* 1 x n, added to every row; NULL: none                       */
    glnn_map activation;     /* applied to the finished sum; 0: identity                    */
    const glnn_matrix *derivative_of; /* m x n: the result is multiplied by f'(y), y taken from
                                    here and f being `derivative`; NULL: no factor              */
    glnn_map derivative;        /* see `derivative_of`                                         */
    bool augment;               /* op(a) has one more column, which is not stored: ones. b (or,
                                    with transpose_a, c) then has one more row: the bias as a
                                    constant unit and its gradient                              */
    int slice;                  /* longest inner dimension of one pass, rounded up to a multiple
                                    of eight; 0: the library's choice                           */
    glnn_accumulate accumulate; /* how slices are summed                                       */
} glnn_gemm_desc;

/* Matrix product: c = f(alpha * op(a) op(b) + beta * c + bias) [* g'(y)]
 *
 * Shapes   op(a) is m x k, op(b) is k x n, c is m x n; m, n, k >= 1. A 1-row or 1-column operand
 *          makes it a matrix-vector or vector-vector product. With `augment` and without
 *          transpose_a, b has k + 1 rows, the last of which meets the ones; with transpose_a, a
 *          is k x (m - 1) and the last row of c collects the sums of the columns of b.
 * Numbers  float32 sums in a fixed order, of FLOAT16 operands too; per element of the product
 *          |error| <= (k + 2) 2^-24 sum |a| |b|, and that of the map after it (glnn/map.h). Slices
 *          are summed in float32 before a FLOAT16 c is written: it adds one rounding, 2^-11 |c|,
 *          and is infinite from 65520 on (glnn/matrix.h).
 * Passes   one for most shapes; one per slice where the inner dimension is split, one more where
 *          the sum is followed by a map; several strips where one pass would take
 *          longer than the context's pass_limit_ms, which changes no bit. A strip is at least large
 *          enough to fill the device, so that a small pass_limit_ms cannot be met. The first
 *          product that may be so long waits for the GPU, to learn how long strips take; later ones
 *          have at most two strips under way at a time.
 * Alias    c may be one of the operands; the product is then rendered into another texture.
 * Errors   E_ARG    a null operand, a PAGED c, an operand of another context, an unknown map,
 *                   slice < 0, `augment` with transpose_b
 *          E_SHAPE  inner dimensions differ, or c, bias or derivative_of has another shape
 *          E_LIMIT  no room for partial products
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_gemm(glnn_context *ctx, const glnn_gemm_desc *desc, float alpha,
                               const glnn_matrix *a, const glnn_matrix *b, float beta,
                               glnn_matrix *c);

/* Outer product: out = alpha * x y' + beta * out
 *
 * Shapes   x is m x 1 or 1 x m, y is n x 1 or 1 x n, out is m x n.
 * Numbers  |error| <= 2 * 2^-24 |alpha x y|, and one rounding of the sum where beta is not 0.
 * Passes   one: both vectors are read through broadcasting views. One more into a PACKED out of 256
 *          rows or more, where y stands upright.
 * Errors   E_ARG a null operand, a PAGED out; E_SHAPE x or y is no vector, or out does not fit;
 *          E_LIMIT no room to lay y across
 * Thread   the context's own.   Since 0.1 */
GLNN_API glnn_status glnn_outer(glnn_context *ctx, float alpha, const glnn_matrix *x,
                                const glnn_matrix *y, float beta, glnn_matrix *out);

#ifdef __cplusplus
}
#endif
#endif
