#include "ops/gemm/plan.h"

#include "base/integers.h"
#include "base/status.h"

#include <stdio.h>

/* Slices that the caller has chosen are computed in one pass if c has fewer blocks than this. More
 * blocks fill a device anyway. */
#define MANY_FRAGMENTS 8192

bool glnn__product_is_cut(const glnn__product *p)
{
    return p->slice > 0 || p->accumulate == GLNN_ACCUMULATE_BLEND;
}

bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    return plan->group == 0 && !plan->joined && glnn__pass_can_split(ctx, p->c->layout) &&
           ((p->b->layout == GLNN_LAYOUT_TILED && p->window.mode != GLNN__WINDOW_BACKWARD) ||
            (p->a->layout == GLNN_LAYOUT_TILED && !p->transpose_a && !p->window.mode));
}

/* The fastest way to read depends on whether the cut can read layer by layer. */
glnn_status glnn__plan_read(glnn_context *ctx, const glnn__product *p, glnn__plan *plan)
{
    const glnn__shape shape = glnn__product_shape(p);
    if (glnn__shape_is_short(&shape))
        return GLNN_OK;
    return glnn__profile_fetching(ctx, shape.layout, &plan->fetching,
                                  glnn__plan_can_split(ctx, p, plan) ? &plan->layered : NULL);
}

/* The caller's slices have any length. Those that the library chooses consist of whole tiles of
 * eight inner indices, or of column groups. */
static int slice_length(const glnn__product *p, const glnn__plan *plan)
{
    if (glnn__product_is_cut(p))
        return p->slice > 0 ? p->slice : plan->inner;
    return glnn__round_up(glnn__ceil_div(plan->inner, plan->slices), plan->joined ? 4 : 8);
}

/* Whether slices that the caller has chosen are computed in one pass. */
static bool fits_side_by_side(const glnn_context *ctx, const glnn__product *p, int slices)
{
    const int block_rows = glnn__matrix_block_rows(p->c);
    const int block_columns =
        glnn__ceil_div(p->c->columns, glnn__layout_get(p->c->layout)->block_columns);
    return p->accumulate == GLNN_ACCUMULATE_PARTIAL ||
           (p->accumulate == GLNN_ACCUMULATE_AUTO &&
            slices <= ctx->info.max_texture_size / (block_rows + 1) &&
            (int64_t)block_columns * block_rows < MANY_FRAGMENTS);
}

/* Whether fragments may share. A scratch matrix with more rows than c can be wrapped even if c is
 * not. */
static bool can_share(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    const glnn__shape shape = glnn__product_shape(p);
    const int rounded = glnn__round_up(plan->block_rows, 2 * plan->stack);
    const int64_t block_rows = (int64_t)rounded * (plan->partial ? plan->slices : 1);
    return plan->group == 0 && glnn__pass_can_share(ctx, p->c) &&
           shape.alike % (2 * glnn__layout_get(shape.layout)->block_columns) == 0 &&
           (!plan->partial || plan->block_rows > plan->stack) &&
           block_rows <= ctx->info.max_texture_size;
}

/* Each slice begins with a whole stack of blocks. If fragments share, it begins with two, so that
 * all fragments of a quad belong to the same slice. */
void glnn__plan_complete(const glnn_context *ctx, const glnn__product *p, glnn__plan *plan)
{
    const glnn__shape shape = glnn__product_shape(p);
    plan->inner = shape.inner;
    plan->slice = glnn__least(slice_length(p, plan), plan->inner);
    plan->slices = glnn__ceil_div(plan->inner, plan->slice);
    if (plan->slices > 1 && plan->slice % 4 > 0)
        plan->group = 0;
    plan->partial = plan->slices > 1 && !plan->joined &&
                    (!glnn__product_is_cut(p) || fits_side_by_side(ctx, p, plan->slices));
    plan->block_rows = glnn__ceil_div(shape.rows, glnn__layout_get(shape.layout)->block_rows);
    plan->layered = plan->layered && glnn__plan_can_split(ctx, p, plan);
    plan->shares = plan->shares && can_share(ctx, p, plan);
    if (plan->partial)
        plan->block_rows =
            glnn__round_up(plan->block_rows, plan->shares ? 2 * plan->stack : plan->stack);
}

void glnn__plan_describe(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                         char *text, size_t size)
{
    static const char *const fetchings[GLNN__FETCHING_COUNT] = {"texelFetch",
                                                                "sampled coordinates"};
    char slices[96] = "in one piece", time[48] = "", strips[64] = "";
    if (plan->slices == 0) {
        snprintf(text, size, "%d x %d x %d, %s stage: alpha is 0, so the factors are not read",
                 p->c->rows, p->c->columns, glnn__product_shape(p).inner,
                 glnn_stage_name(ctx->info.stage));
        return;
    }
    if (plan->slices > 1)
        snprintf(slices, sizeof slices, "in %d slices of %d %s", plan->slices, plan->slice,
                 plan->partial  ? "side by side and a fold"
                 : plan->joined ? "summed in work groups"
                                : "blended one after the other");
    if (plan->expected_us > 0)
        snprintf(time, sizeof time, ", %.1f us expected", plan->expected_us);
    if (plan->pass_us > 1e3 * ctx->pass_limit_ms)
        snprintf(strips, sizeof strips, ", strips of at most %g ms", ctx->pass_limit_ms);
    snprintf(text, size, "%d x %d x %d, %s stage: %s, operands by %s%s%s%s%s%s%s", p->c->rows,
             p->c->columns, plan->inner, glnn_stage_name(ctx->info.stage), slices,
             fetchings[plan->fetching], plan->layered ? ", layer by layer" : "",
             plan->shares ? ", shared within quads" : "",
             plan->group > 0 ? ", shared within work groups" : "",
             plan->stack > 1 ? ", two blocks a fragment" : "", strips, time);
}
