/* Making a matrix product as its plan says. */
#include "ops/gemm/plan.h"

#include "base/status.h"

/* Which layer of a transposed op(A) a fragment reads depends on its place: those stay together. */
static bool is_layered(const glnn__plan *plan, const glnn_matrix *factor, bool depends_on_place)
{
    return plan->cut.layered && factor->layout == GLNN_LAYOUT_TILED && !depends_on_place;
}

/* The pass over inner indices begin to end, into `output`. */
static glnn__pass product_pass(const glnn__product *p, const glnn__plan *plan, int begin, int end,
                               glnn_matrix *output)
{
    const int block_rows = glnn__layout_get(output->layout)->block_rows;
    return (glnn__pass){
        .kernel = plan->cut.group > 0 ? GLNN__KERNEL_GEMM_SHARED : GLNN__KERNEL_GEMM,
        .operands = {{.matrix = p->a}, {.matrix = p->b}},
        .output = output,
        .options = {p->transpose_a, p->transpose_b, p->augment, plan->partial || plan->cut.joined},
        .scalars = {1},
        .integers = {begin, end, plan->slice, plan->block_rows / plan->cut.stack},
        .fetching = plan->cut.fetching,
        .blocking =
            {
                .layered = {is_layered(plan, p->a, p->transpose_a), is_layered(plan, p->b, false)},
                .shares = plan->cut.shares,
                .stack = plan->cut.stack,
                .group_slices = plan->cut.joined ? GLNN__GROUP_SLICES : 0,
                .group_side = plan->cut.group,
                .group_layers = plan->partial ? plan->cut.slices : 1,
                .group_rows = block_rows * plan->block_rows,
            },
        .expected_us = plan->pass_us,
    };
}

/* Gives a pass what follows the sum. The operands start at `first`, the options at `option`. */
static void add_finish(const glnn__product *p, int first, int option, glnn__pass *pass)
{
    const bool in_place = glnn__product_adds_in_place(p);
    pass->operands[first].matrix = in_place ? NULL : p->addend;
    pass->operands[first + 1] = (glnn__operand){p->bias, glnn__view_broadcast(true, false)};
    pass->operands[first + 2].matrix = p->derivative_of;
    pass->options[option] = p->activation;
    pass->options[option + 1] = p->derivative;
    pass->scalars[0] = p->alpha;
    pass->scalars[1] = p->beta;
    pass->blend_factor = in_place ? p->beta : p->output_factor;
    pass->blend = in_place || p->output_factor != 0;
    pass->beside = p->beside;
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
    add_finish(p, 1, 0, &pass);
    return glnn__pass_run(ctx, &pass);
}

/* Adds the slices up in `sums`, one pass after the other. */
static glnn_status blend_slices(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                                glnn_matrix *sums, bool finishes)
{
    for (int begin = 0; begin < plan->inner; begin += plan->slice) {
        const int end = begin + plan->slice < plan->inner ? begin + plan->slice : plan->inner;
        glnn__pass pass = product_pass(p, plan, begin, end, sums);
        if (finishes && begin == 0)
            add_finish(p, 2, 4, &pass);
        else if (finishes)
            pass.scalars[0] = p->alpha;
        if (begin > 0) {
            pass.blend = true;
            pass.blend_factor = 1;
        }
        GLNN__TRY(glnn__pass_run(ctx, &pass));
    }
    return GLNN_OK;
}

static glnn_status run_slices(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    const int block_rows = glnn__layout_get(p->c->layout)->block_rows;
    const int rows = plan->partial ? block_rows * plan->block_rows * plan->cut.slices : p->c->rows;
    glnn_matrix *sums;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, p->c->layout, rows, p->c->columns,
                                          plan->partial ? "partial products" : "sum of slices",
                                          &sums));
    const glnn__pass side_by_side = product_pass(p, plan, 0, plan->inner, sums);
    glnn_status status = plan->partial ? glnn__pass_run(ctx, &side_by_side)
                                       : blend_slices(ctx, p, plan, sums, false);
    if (!status)
        status = run_fold(ctx, p, plan, sums, plan->partial ? plan->cut.slices : 1);
    glnn_matrix_destroy(sums);
    return status;
}

/* Whether slices can be added right into c: nothing follows the sum, nothing else reads c, and it holds
 * sums in full. */
static bool sums_in_output(const glnn__product *p)
{
    return !glnn__product_maps(p) && p->beside.update == GLNN__UPDATE_NONE &&
           !p->beside.images[GLNN__COPY_IMAGE] && !glnn__product_reads_output(p) &&
           p->c->storage == GLNN_STORAGE_FLOAT32;
}

glnn_status glnn__plan_run(glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    if (plan->cut.slices == 1 || plan->cut.joined) {
        glnn__pass pass = product_pass(p, plan, 0, plan->inner, p->c);
        add_finish(p, 2, 4, &pass);
        return glnn__pass_run(ctx, &pass);
    }
    if (!plan->partial && sums_in_output(p))
        return blend_slices(ctx, p, plan, p->c, true);
    return run_slices(ctx, p, plan);
}
