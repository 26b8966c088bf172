#include <glnn/gemm.h>

#include "base/names.h"
#include "ops/check.h"
#include "ops/gemm/plan.h"

#include <glnn/advice.h>

static const char *const accumulate_names[GLNN_ACCUMULATE_COUNT] = {
    [GLNN_ACCUMULATE_AUTO] = "auto",
    [GLNN_ACCUMULATE_BLEND] = "blend",
    [GLNN_ACCUMULATE_PARTIAL] = "partial",
};

GLNN__DEFINE_NAMES(glnn_accumulate, accumulate_names)

static glnn_status check_shapes(const glnn_context *ctx, const char *what,
                                const glnn_gemm_desc *desc, const glnn_matrix *a,
                                const glnn_matrix *b, const glnn_matrix *c)
{
    const int unit_row = desc->augment && desc->transpose_a;
    const int unit_column = desc->augment && !desc->transpose_a;
    const int m = (desc->transpose_a ? a->columns : a->rows) + unit_row;
    const int k = (desc->transpose_a ? a->rows : a->columns) + unit_column;
    const int n = desc->transpose_b ? b->rows : b->columns;
    const int inner = desc->transpose_b ? b->columns : b->rows;
    if (k != inner)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: inner dimensions differ: op(a) of %s is %d x %d%s, op(b) of %s is "
                          "%d x %d",
                          what, a->name, m, k, desc->augment ? " with the ones of augment" : "",
                          b->name, inner, n);
    GLNN__TRY(glnn__check_shape(what, "c", c, m, n));
    if (desc->bias) {
        GLNN__TRY(glnn__check_operand(ctx, what, "bias", desc->bias));
        GLNN__TRY(glnn__check_shape(what, "bias", desc->bias, 1, n));
    }
    if (desc->derivative_of) {
        GLNN__TRY(glnn__check_operand(ctx, what, "derivative_of", desc->derivative_of));
        GLNN__TRY(glnn__check_shape(what, "derivative_of", desc->derivative_of, m, n));
    }
    return GLNN_OK;
}

static glnn_status check(const glnn_context *ctx, const char *what, const glnn_gemm_desc *desc,
                         const glnn_matrix *a, const glnn_matrix *b, const glnn_matrix *c)
{
    GLNN__TRY(glnn__check_operand(ctx, what, "a", a));
    GLNN__TRY(glnn__check_operand(ctx, what, "b", b));
    GLNN__TRY(glnn__check_output(ctx, what, "c", c));
    GLNN__TRY(glnn__check_enumerator(what, "activation", (int)desc->activation, GLNN_MAP_COUNT));
    GLNN__TRY(glnn__check_enumerator(what, "derivative", (int)desc->derivative, GLNN_MAP_COUNT));
    GLNN__TRY(
        glnn__check_enumerator(what, "accumulate", (int)desc->accumulate, GLNN_ACCUMULATE_COUNT));
    if (desc->slice < 0)
        return glnn__fail(GLNN_E_ARG, "%s: slice is %d; it must not be negative", what,
                          desc->slice);
    if (desc->augment && desc->transpose_b)
        return glnn__fail(GLNN_E_ARG, "%s: augment and transpose_b are both set; only one may be",
                          what);
    return check_shapes(ctx, what, desc, a, b, c);
}

static glnn__product product_of(const glnn_gemm_desc *desc, float alpha, const glnn_matrix *a,
                                const glnn_matrix *b, float beta, glnn_matrix *c)
{
    return (glnn__product){
        .a = a,
        .b = b,
        .addend = beta != 0 ? c : NULL,
        .bias = desc->bias,
        .derivative_of = desc->derivative_of,
        .c = c,
        .alpha = {.f = alpha},
        .beta = {.f = beta},
        .transpose_a = desc->transpose_a,
        .transpose_b = desc->transpose_b,
        .augment = desc->augment,
        .skips_factors = alpha == 0,
        .activation = desc->activation,
        .derivative = desc->derivative,
        .slice = desc->slice,
        .accumulate = desc->accumulate,
    };
}

static const glnn_gemm_desc plain;

glnn_status glnn_gemm(glnn_context *ctx, const glnn_gemm_desc *desc, float alpha,
                      const glnn_matrix *a, const glnn_matrix *b, float beta, glnn_matrix *c)
{
    desc = desc ? desc : &plain;
    GLNN__TRY(check(ctx, __func__, desc, a, b, c));
    const glnn__product product = product_of(desc, alpha, a, b, beta, c);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__product_run(ctx, &product));
}

glnn_status glnn_gemm_get_plan(glnn_context *ctx, const glnn_gemm_desc *desc, float alpha,
                               const glnn_matrix *a, const glnn_matrix *b, float beta,
                               const glnn_matrix *c, char *text, size_t size)
{
    glnn__plan plan;
    desc = desc ? desc : &plain;
    GLNN__NOT_NULL(text);
    if (size == 0)
        return glnn__fail(GLNN_E_ARG, "%s: size is 0, which leaves no room for the text", __func__);
    GLNN__TRY(check(ctx, __func__, desc, a, b, c));
    /* c is not written, but a plan takes a product, whose c is not const. */
    const glnn__product product = product_of(desc, alpha, a, b, beta, (glnn_matrix *)(uintptr_t)c);
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__plan_choose(ctx, &product, &plan)));
    glnn__plan_describe(ctx, &product, &plan, text, size);
    return GLNN_OK;
}
