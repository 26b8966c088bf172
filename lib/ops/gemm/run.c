/* Making an inner product as its plan says. */
#include "ops/gemm/plan.h"

#include "base/status.h"

/* Which layer of a transposed op(A) a fragment reads depends on its place: those stay together. */
static bool is_layered(const glnn__plan *plan, const glnn_matrix *factor, bool depends_on_place)
{
    return plan->layered && factor->layout == GLNN_LAYOUT_TILED && !depends_on_place;
}

glnn__pass glnn__product_pass(const glnn__product *p, const glnn__plan *plan, int begin, int end,
                              glnn_matrix *output)
{
    const int block_rows = glnn__layout_get(output->layout)->block_rows;
    return (glnn__pass){
        .kernel = plan->group > 0 ? GLNN__KERNEL_GEMM_SHARED : GLNN__KERNEL_GEMM,
        .operands = {{.matrix = p->a}, {.matrix = p->b}},
        .output = output,
        .options = {p->transpose_a, p->transpose_b, p->augment, plan->partial || plan->joined},
        .scalars = {1},
        .integers = {begin, end, plan->slice, plan->block_rows / plan->stack},
        .fetching = plan->fetching,
        .blocking =
            {
                .layered = {is_layered(plan, p->a, p->transpose_a), is_layered(plan, p->b, false)},
                .literals = plan->literals,
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

/* Gives a pass what follows the sum. The operands start at `first`, the options at `option`. */
static void add_finish(const glnn__product *p, const glnn__plan *plan, int first, int option,
                       glnn__pass *pass)
{
    pass->operands[first].matrix = plan->in_place ? NULL : p->addend;
    pass->operands[first + 1] = (glnn__operand){p->bias, glnn__view_broadcast(true, false)};
    pass->operands[first + 2].matrix = p->derivative_of;
    pass->options[option] = p->activation;
    pass->options[option + 1] = p->derivative;
    pass->scalars[0] = p->alpha;
    pass->scalars[1] = p->beta;
    pass->blend = plan->in_place || p->keep != 0;
    pass->blend_factor = plan->in_place ? p->beta : p->keep;
    pass->beside = p->beside;
}

static glnn_status run_whole(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    glnn__pass pass = glnn__product_pass(p, plan, 0, plan->inner, p->c);
    add_finish(p, plan, 2, 4, &pass);
    return glnn__pass_run(ctx, &pass);
}

/* Sums `slices` products that stand one below the other in `sums`, and finishes. */
static glnn_status run_fold(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                            const glnn_matrix *sums, int slices)
{
    glnn__pass pass = {
        .kernel = GLNN__KERNEL_FOLD,
        .operands = {{.matrix = sums}},
        .output = p->c,
        .integers = {slices, plan->block_rows},
    };
    add_finish(p, plan, 1, 0, &pass);
    return glnn__pass_run(ctx, &pass);
}

static glnn_status run_partial(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    const int rows = glnn__layout_get(p->c->layout)->block_rows * plan->block_rows * plan->slices;
    glnn_matrix *sums;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, p->c->layout, rows, p->c->columns,
                                          "partial products", &sums));
    glnn__pass pass = glnn__product_pass(p, plan, 0, plan->inner, sums);
    glnn_status status = glnn__pass_run(ctx, &pass);
    if (!status)
        status = run_fold(ctx, p, plan, sums, plan->slices);
    glnn_matrix_destroy(sums);
    return status;
}

static glnn_status blend_slices(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                                glnn_matrix *sums, bool finishes)
{
    for (int s = 0; s < plan->slices; ++s) {
        const int begin = s * plan->slice;
        const int end = begin + plan->slice < plan->inner ? begin + plan->slice : plan->inner;
        glnn__pass pass = glnn__product_pass(p, plan, begin, end, sums);
        if (finishes && s == 0)
            add_finish(p, plan, 2, 4, &pass);
        else if (finishes)
            pass.scalars[0] = p->alpha;
        if (s > 0) {
            pass.blend = true;
            pass.blend_factor = 1;
        }
        GLNN__TRY(glnn__pass_run(ctx, &pass));
    }
    return GLNN_OK;
}

/* Slices are added right into c where nothing follows the sum, nothing else reads c, and it holds
 * sums in full. */
static glnn_status run_blended(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    const bool is_last_step =
        !plan->maps && p->beside.update == GLNN__UPDATE_NONE && !p->beside.images[GLNN__COPY_IMAGE];
    if (is_last_step && !glnn__product_reads_target(p) && p->c->storage == GLNN_STORAGE_FLOAT32)
        return blend_slices(ctx, p, plan, p->c, true);
    glnn_matrix *sums;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, p->c->layout, p->c->rows, p->c->columns,
                                          "sum of slices", &sums));
    glnn_status status = blend_slices(ctx, p, plan, sums, false);
    if (!status)
        status = run_fold(ctx, p, plan, sums, 1);
    glnn_matrix_destroy(sums);
    return status;
}

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *product, const glnn__plan *plan)
{
    if (plan->slices == 1 || plan->joined)
        return run_whole(ctx, product, plan);
    return plan->partial ? run_partial(ctx, product, plan) : run_blended(ctx, product, plan);
}

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product)
{
    glnn__plan plan;
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = glnn__plan_make(ctx, product, &plan);
    if (!status)
        status = glnn__plan_run(ctx, product, &plan);
    return glnn__gl_leave(ctx, status);
}
