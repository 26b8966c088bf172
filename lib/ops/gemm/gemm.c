/* Matrix products: the public operation, and how a product is run by its plan. */
#include <glnn/gemm.h>

#include "base/integers.h"
#include "base/names.h"
#include "base/sized.h"
#include "ops/check.h"
#include "ops/gemm/plan.h"
#include "ops/map.h"
#include "pass/list.h"

#include <glnn/advice.h>

/* ---- The passes of a plan */

const glnn__enumerator glnn__window_modes[] = {GLNN__ENUMERATOR(GLNN__WINDOW_FORWARD),
                                               GLNN__ENUMERATOR(GLNN__WINDOW_BACKWARD),
                                               GLNN__ENUMERATOR(GLNN__WINDOW_FLAT),
                                               {0}};

#define NAMES                                                                                      \
    .operands = {[GLNN__GEMM_A] = "A",                                                             \
                 [GLNN__GEMM_B] = "B",                                                             \
                 [GLNN__GEMM_C] = "C",                                                             \
                 [GLNN__GEMM_BIAS] = "BIAS",                                                       \
                 [GLNN__GEMM_Y] = "Y"},                                                            \
    .options = {[GLNN__GEMM_TRANSPOSE_A] = "TRANSPOSE_A",                                          \
                [GLNN__GEMM_TRANSPOSE_B] = "TRANSPOSE_B",                                          \
                [GLNN__GEMM_UNIT] = "UNIT",                                                        \
                [GLNN__GEMM_PARTIAL] = "PARTIAL",                                                  \
                [GLNN__GEMM_ACTIVATION] = "ACTIVATION",                                            \
                [GLNN__GEMM_DERIVATIVE] = "DERIVATIVE"},                                           \
    .uniforms = {[GLNN__GEMM_INNER_BEGIN] = "int inner_begin",                                     \
                 [GLNN__GEMM_INNER_END] = "int inner_end",                                         \
                 [GLNN__GEMM_SLICE_LENGTH] = "int slice_length",                                   \
                 [GLNN__GEMM_SLICE_BLOCKS] = "int slice_blocks",                                   \
                 [GLNN__GEMM_ALPHA] = "float alpha",                                               \
                 [GLNN__GEMM_BETA] = "float beta",                                                 \
                 [GLNN__GEMM_SLICES] = "int slices"},                                              \
    .enumerations = {glnn__map_enumerators, glnn__window_modes},                                   \
    .constants = {GLNN__WINDOW_CONSTANTS}

const glnn__kernel glnn__gemm_kernel = {.name = "ops/gemm",
                                        NAMES,
                                        .options[GLNN__GEMM_UNALIGNED] = "UNALIGNED",
                                        .unviewed = GLNN__FACTORS,
                                        .has_fetching = true};
const glnn__kernel glnn__gemm_shared_kernel = {.name = "ops/gemm_shared",
                                               NAMES,
                                               .unviewed = GLNN__FACTORS,
                                               .has_fetching = true,
                                               .has_main = true,
                                               .by_blocks = &glnn__gemm_kernel};

/* The operand A has the partial products of all slices, one below the other. It is absent if there
 * are no slices. */
static const glnn__kernel fold_kernel = {
    .name = "ops/fold", NAMES, .options[GLNN__GEMM_AHEAD] = "AHEAD"};

/* Whether slices can begin in the middle of a tile of eight inner indices. */
static bool is_unaligned(const glnn__plan *plan)
{
    return plan->slices > 1 && plan->blocking.group_slices == 0 && plan->blocking.group_side == 0 &&
           plan->slice % 8 > 0;
}

glnn__pass glnn__product_pass(const glnn__product *p, const glnn__plan *plan, int begin, int end,
                              glnn_matrix *output)
{
    return (glnn__pass){
        .kernel = plan->blocking.group_side > 0 ? &glnn__gemm_shared_kernel : &glnn__gemm_kernel,
        .operands = {{.matrix = p->a}, {.matrix = p->b}},
        .output = output,
        .options = {[GLNN__GEMM_TRANSPOSE_A] = p->transpose_a,
                    [GLNN__GEMM_TRANSPOSE_B] = p->transpose_b,
                    [GLNN__GEMM_UNIT] = p->augment,
                    [GLNN__GEMM_PARTIAL] = plan->partial || plan->blocking.group_slices > 0,
                    [GLNN__GEMM_UNALIGNED] = is_unaligned(plan)},
        .uniforms = {[GLNN__GEMM_INNER_BEGIN] = {.i = begin},
                     [GLNN__GEMM_INNER_END] = {.i = end},
                     [GLNN__GEMM_SLICE_LENGTH] = {.i = plan->slice},
                     [GLNN__GEMM_SLICE_BLOCKS] = {.i = plan->block_rows / plan->blocking.stack},
                     [GLNN__GEMM_ALPHA] = {.f = 1}},
        .constants = p->window.mode ? p->window.constants : NULL,
        .fetching = plan->fetching,
        .blocking = plan->blocking,
        .expected_us = plan->pass_us,
    };
}

/* Whether the finished sum goes through a map. */
static bool has_map(const glnn__product *p)
{
    return p->activation != GLNN_MAP_IDENTITY || p->derivative_of;
}

/* Whether an operand other than the addend is the output. */
static bool reads_output(const glnn__product *p)
{
    return p->a == p->c || p->b == p->c || p->bias == p->c || p->derivative_of == p->c;
}

/* Adds the operations after the sum to a pass. */
static void add_finish(const glnn__product *p, glnn__pass *pass)
{
    const bool in_place = p->addend == p->c && !has_map(p) && !reads_output(p); /* by blending */
    pass->operands[GLNN__GEMM_C].matrix = in_place ? NULL : p->addend;
    pass->operands[GLNN__GEMM_BIAS] =
        (glnn__operand){.matrix = p->bias, .view = glnn__view_broadcast(true, false)};
    pass->operands[GLNN__GEMM_Y].matrix = p->derivative_of;
    pass->options[GLNN__GEMM_ACTIVATION] = p->activation;
    pass->options[GLNN__GEMM_DERIVATIVE] = p->derivative;
    pass->uniforms[GLNN__GEMM_ALPHA] = p->alpha;
    pass->uniforms[GLNN__GEMM_BETA] = p->beta;
    pass->blend_factor = in_place ? p->beta : p->output_factor;
    pass->blend = in_place || glnn__uniform_is_set(&p->output_factor);
    pass->epilogue = p->epilogue;
}

/* Whether the partial products have rows in another order than the output. */
static bool orders_rows(const glnn__window *window)
{
    return window->mode == GLNN__WINDOW_FLAT || glnn__window_is_phased(window);
}

/* Adds the `slices` partial products in `sums`, and finishes. */
static glnn_status run_fold(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                            const glnn_matrix *sums, int slices)
{
    glnn__pass pass = {
        .kernel = &fold_kernel,
        .operands = {{.matrix = sums}},
        .output = p->c,
        .uniforms = {[GLNN__GEMM_SLICES] = {.i = slices},
                     [GLNN__GEMM_SLICE_BLOCKS] = {.i = plan->block_rows}},
        /* A CPU does not wait for fetches, and its registers are few. */
        .options = {[GLNN__GEMM_AHEAD] = !ctx->info.software},
        .constants = orders_rows(&p->window) ? p->window.constants : NULL,
    };
    add_finish(p, &pass);
    return glnn__pass_run(ctx, &pass);
}

glnn_status glnn__slices_add(glnn_context *ctx, const glnn_matrix *sums, int slices, int block_rows,
                             glnn_matrix *c)
{
    return run_fold(ctx, &(glnn__product){.c = c, .alpha = {.f = 1}},
                    &(glnn__plan){.block_rows = block_rows}, sums, slices);
}

/* Computes one slice per pass and adds them in `sums` by blending. */
static glnn_status blend_slices(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                                glnn_matrix *sums, bool finishes)
{
    for (int begin = 0; begin < p->inner; begin += plan->slice) {
        const int end = glnn__least(begin + plan->slice, p->inner);
        glnn__pass pass = glnn__product_pass(p, plan, begin, end, sums);
        if (finishes && begin == 0)
            add_finish(p, &pass);
        else if (finishes)
            pass.uniforms[GLNN__GEMM_ALPHA] = p->alpha;
        if (begin > 0) {
            pass.blend = true;
            pass.blend_factor.f = 1;
        }
        GLNN__TRY(glnn__pass_run(ctx, &pass));
    }
    return GLNN_OK;
}

static glnn_status run_slices(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    const int block_rows = glnn__layout_of(p->c)->block_rows;
    const int rows = block_rows * plan->block_rows * (plan->partial ? plan->slices : 1);
    glnn_matrix *sums;
    const char *name = plan->partial ? "partial products" : "sum of slices";
    GLNN__TRY((p->c->texture->extent.wrap > 0 ? glnn__matrix_create_narrow
                                              : glnn__matrix_create_undefined)(
        ctx, p->c->layout, GLNN_STORAGE_FLOAT32, rows, p->c->columns, name, &sums));
    const glnn__pass side_by_side = glnn__product_pass(p, plan, 0, p->inner, sums);
    glnn_status status = plan->partial || plan->blocking.group_slices > 0
                             ? glnn__pass_run(ctx, &side_by_side)
                             : blend_slices(ctx, p, plan, sums, false);
    if (!status)
        status = run_fold(ctx, p, plan, sums, plan->partial ? plan->slices : 1);
    glnn__scratch_destroy(sums);
    return status;
}

/* Whether slices can be added in c itself: the sum is not changed afterwards, no other operand is
 * c, and c has 32 bits. */
static bool sums_in_output(const glnn__product *p)
{
    return !has_map(p) && !p->epilogue && !reads_output(p) && p->c->storage == GLNN_STORAGE_FLOAT32;
}

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    if (plan->slices == 0)
        return run_fold(ctx, p, plan, p->partials > 0 ? p->a : NULL, p->partials);
    if (glnn__window_is_phased(&p->window))
        return run_slices(ctx, p, plan);
    if (plan->slices == 1 || plan->blocking.group_slices > 0) {
        glnn__pass pass = glnn__product_pass(p, plan, 0, p->inner, p->c);
        add_finish(p, &pass);
        return glnn__pass_run(ctx, &pass);
    }
    if (!plan->partial && sums_in_output(p))
        return blend_slices(ctx, p, plan, p->c, true);
    return run_slices(ctx, p, plan);
}

/* ---- Products */

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product)
{
    glnn__product completed = *product;
    glnn__plan plan;
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = glnn__plan_choose(ctx, &completed, &plan);
    if (!status)
        status = glnn__plan_run(ctx, &completed, &plan);
    return glnn__gl_leave(ctx, status);
}

glnn_status glnn__product_sum(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                              bool augment, bool is_first, glnn_matrix *sums)
{
    return glnn__product_run(ctx, &(glnn__product){
                                      .a = a,
                                      .b = b,
                                      .addend = is_first ? NULL : sums,
                                      .c = sums,
                                      .alpha = {.f = 1},
                                      .beta = {.f = is_first ? 0 : 1},
                                      .transpose_a = true,
                                      .augment = augment,
                                  });
}

/* ---- The public operation */

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
    GLNN__TRY(glnn__fail_in(what, GLNN__RESERVED_CHECK(glnn_gemm_desc, desc)));
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
    GLNN__TRY(glnn__gl_enter_recording(ctx));
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
    glnn__product product = product_of(desc, alpha, a, b, beta, (glnn_matrix *)(uintptr_t)c);
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__plan_choose(ctx, &product, &plan)));
    glnn__plan_describe(ctx, &product, &plan, text, size);
    return GLNN_OK;
}
