/** @file
 *  @ingroup glnn_ops
 *  @brief Matrix products and outer products.
 *
 * The operands may have any layout and storage, also different ones. The sums are float32 and have
 * a fixed order: the same operands on the same device with the same device profile
 * (glnn/context.h) give the same bits.
 *
 * A factor of 0 is zero, not a default: an operand that is multiplied by 0 is not read, so a NaN
 * in it has no effect. */
#ifndef GLNN_GEMM_H
#define GLNN_GEMM_H

#include <glnn/map.h>
#include <glnn/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_ops
 *  @{ */

/** How the library sums over a long inner dimension. It can cut the inner dimension into *slices*,
 * compute a partial product for each slice, and add up the partial products. */
typedef enum glnn_accumulate {
    GLNN_ACCUMULATE_AUTO = 0, /**< the library chooses, also whether to cut */
    GLNN_ACCUMULATE_BLEND,    /**< one pass per slice; OpenGL's blending adds it to the result */
    GLNN_ACCUMULATE_PARTIAL,  /**< one pass computes all partial products, another adds them up */
    GLNN_ACCUMULATE_COUNT
} glnn_accumulate;

/** The name of a way to accumulate: "auto", "blend", "partial". @since 0.2 */
GLNN_API const char *glnn_accumulate_name(glnn_accumulate accumulate);

/** The way to accumulate with a name. @since 0.2 */
GLNN_API glnn_status glnn_accumulate_from_name(const char *name, glnn_accumulate *out);

/** The variant of a matrix product. All zeros: the plain product. */
typedef struct glnn_gemm_desc {
    bool transpose_a; /**< op(a) is a transposed */
    bool transpose_b; /**< op(b) is b transposed */

    /** A row that is added to each row of the product, 1 x n. NULL: none. */
    const glnn_matrix *bias;

    /** The function f, applied to the finished sum. */
    glnn_map activation;

    /** Outputs y = g(x) of an earlier map, m x n. The result is multiplied by g'(x), which is
     * computed from y. NULL: no factor. */
    const glnn_matrix *derivative_of;

    /** The function g of `derivative_of`. */
    glnn_map derivative;

    /** Multiplies as if op(a) had one more column or row, all ones, which is not stored. Without
     * transpose_a it is a column: b has one more row at its end, which is added to each row of the
     * result like a bias. With transpose_a it is a row: c has one more row at its end, which
     * receives the column sums of b, the gradient of a bias. */
    bool augment;

    /** The number of inner indices of a slice; the last slice can have fewer. Multiples of eight
     * are fastest, and other multiples of four faster than the rest. 0: the library chooses. */
    int slice;

    glnn_accumulate accumulate; /**< how the slices are summed */
    uint64_t reserved[4];       /**< zeros; room for later versions */
} glnn_gemm_desc;

/** Multiplies two matrices.
 *
 *      c = f(alpha op(a) op(b) + beta c + bias) g'(x)
 *
 * op(x) is x or its transpose. Without a bias the term is 0, and without `derivative_of` the factor
 * g'(x) is 1. `desc` NULL is the plain product c = alpha a b + beta c. A vector is a matrix of one
 * row or one column. c may also be an operand: the library then renders into another texture.
 *
 * @shapes  op(a) is m x k, op(b) is k x n, c is m x n; m, n and k are at least 1. With `augment`
 *          and without transpose_a, b is (k + 1) x n. With both, a is k x (m - 1).
 * @numbers Per element, with eps = 2^-24 and P = sum |alpha a b|: the product has |error| <=
 *          (k + 2) eps P. Adding c or a bias adds at most 3 eps (P + |beta c| + |bias|). Maps add
 *          their own errors (glnn/map.h). A FLOAT16 c is rounded once, at the end (::glnn_storage).
 * @passes  One for most shapes, and for alpha 0. With slices: BLEND takes one pass for each slice,
 *          and one more for a map; PARTIAL takes two passes in all. A pass that may exceed
 *          glnn_context_desc::pass_limit_ms is drawn in strips, which changes no bit. A strip is at
 *          least large enough to fill the device, so very small limits are not met. The first
 *          product with strips waits for the GPU, so that the library learns how long strips take.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; c is PAGED; a map or
 *     `accumulate` is unknown; `slice` is negative; `augment` and transpose_b are both set.
 *   - GLNN_E_SHAPE: the inner dimensions differ, or c, bias or derivative_of does not fit.
 *   - GLNN_E_LIMIT: the partial products do not fit in a texture or in the texture budget.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1, with alpha and beta as parameters since 0.2 */
GLNN_API glnn_status glnn_gemm(glnn_context *ctx, const glnn_gemm_desc *desc, float alpha,
                               const glnn_matrix *a, const glnn_matrix *b, float beta,
                               glnn_matrix *c);

/** Multiplies a column by a row.
 *
 *      out = alpha x y' + beta out
 *
 * The library takes x as a column and y as a row, whichever way they are stored.
 *
 * @shapes  x is m x 1 or 1 x m, y is n x 1 or 1 x n, out is m x n.
 * @numbers |error| <= 2 * 2^-24 |alpha x y|; if beta is not 0, one rounding of the sum more.
 * @passes  One. One more if out is PACKED with 256 rows or more and y is a column, which is
 *          transposed first.
 * @errors
 *   - GLNN_E_ARG: an operand is null or belongs to another context; out is PAGED; beta is not 0
 *     and out is also x or y.
 *   - GLNN_E_SHAPE: x or y is not a vector, or does not fit out.
 *   - GLNN_E_LIMIT: the texture budget has no room for y transposed.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.1 */
GLNN_API glnn_status glnn_outer(glnn_context *ctx, float alpha, const glnn_matrix *x,
                                const glnn_matrix *y, float beta, glnn_matrix *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
