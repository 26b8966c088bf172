/* Runs a matrix product by its plan. */
#include "ops/gemm/plan.h"

#include "base/status.h"
#include "ops/gemm/kernel.h"
#include "ops/map.h"
#include "pass/list.h"

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
                                               .has_main = true};

/* The operand A has the partial products of all slices, one below the other. It is absent if there
 * are no slices. */
static const glnn__kernel fold_kernel = {
    .name = "ops/fold", NAMES, .options[GLNN__GEMM_AHEAD] = "AHEAD"};

/* Which layer of a transposed A a fragment reads depends on the place of the fragment, and textures
 * cannot be chosen by place. So the layers stay one texture. The same holds for windows, and for
 * their weights if these are read by taps. */
static bool is_layered(const glnn__plan *plan, const glnn_matrix *factor, bool depends_on_place)
{
    return plan->layered && factor->layout == GLNN_LAYOUT_TILED && !depends_on_place;
}

/* Whether slices can begin in the middle of a tile of eight inner indices. */
static bool is_unaligned(const glnn__plan *plan)
{
    return plan->slices > 1 && !plan->joined && plan->group == 0 && plan->slice % 8 > 0;
}

glnn__pass glnn__product_pass(const glnn__product *p, const glnn__plan *plan, int begin, int end,
                              glnn_matrix *output)
{
    const int block_rows = glnn__layout_get(output->layout)->block_rows;
    return (glnn__pass){
        .kernel = plan->group > 0 ? &glnn__gemm_shared_kernel : &glnn__gemm_kernel,
        .operands = {{.matrix = p->a}, {.matrix = p->b}},
        .output = output,
        .options = {[GLNN__GEMM_TRANSPOSE_A] = p->transpose_a,
                    [GLNN__GEMM_TRANSPOSE_B] = p->transpose_b,
                    [GLNN__GEMM_UNIT] = p->augment,
                    [GLNN__GEMM_PARTIAL] = plan->partial || plan->joined,
                    [GLNN__GEMM_UNALIGNED] = is_unaligned(plan)},
        .uniforms = {[GLNN__GEMM_INNER_BEGIN] = {.i = begin},
                     [GLNN__GEMM_INNER_END] = {.i = end},
                     [GLNN__GEMM_SLICE_LENGTH] = {.i = plan->slice},
                     [GLNN__GEMM_SLICE_BLOCKS] = {.i = plan->block_rows / plan->stack},
                     [GLNN__GEMM_ALPHA] = {.f = 1}},
        .constants = p->window.mode ? p->window.constants : NULL,
        .fetching = plan->fetching,
        .blocking =
            {
                .layered = {is_layered(plan, p->a, p->transpose_a || p->window.mode),
                            is_layered(plan, p->b, p->window.mode == GLNN__WINDOW_BACKWARD)},
                .shares = plan->shares,
                .stack = plan->stack,
                .group_slices = plan->joined ? GLNN__GROUP_SLICES : 0,
                .group_side = plan->group,
                .group_layers = plan->partial ? plan->slices : 1,
                .group_rows = block_rows * plan->block_rows,
            },
        .expected_us = plan->pass_us,
    };
}

/* Adds the operations after the sum to a pass. */
static void add_finish(const glnn__product *p, glnn__pass *pass)
{
    const bool in_place = glnn__product_adds_in_place(p);
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
    for (int begin = 0; begin < plan->inner; begin += plan->slice) {
        const int end = begin + plan->slice < plan->inner ? begin + plan->slice : plan->inner;
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
    const int block_rows = glnn__layout_get(p->c->layout)->block_rows;
    const int rows = block_rows * plan->block_rows * (plan->partial ? plan->slices : 1);
    glnn_matrix *sums;
    const char *name = plan->partial ? "partial products" : "sum of slices";
    GLNN__TRY((p->c->texture->extent.wrap > 0 ? glnn__matrix_create_narrow
                                              : glnn__matrix_create_undefined)(
        ctx, p->c->layout, GLNN_STORAGE_FLOAT32, rows, p->c->columns, name, &sums));
    const glnn__pass side_by_side = glnn__product_pass(p, plan, 0, plan->inner, sums);
    glnn_status status = plan->partial || plan->joined ? glnn__pass_run(ctx, &side_by_side)
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
    return !glnn__product_maps(p) && !p->epilogue && !glnn__product_reads_output(p) &&
           p->c->storage == GLNN_STORAGE_FLOAT32;
}

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    if (plan->slices == 0)
        return run_fold(ctx, p, plan, p->partials > 0 ? p->a : NULL, p->partials);
    if (glnn__window_is_phased(&p->window))
        return run_slices(ctx, p, plan);
    if (plan->slices == 1 || plan->joined) {
        glnn__pass pass = glnn__product_pass(p, plan, 0, plan->inner, p->c);
        add_finish(p, &pass);
        return glnn__pass_run(ctx, &pass);
    }
    if (!plan->partial && sums_in_output(p))
        return blend_slices(ctx, p, plan, p->c, true);
    return run_slices(ctx, p, plan);
}
