#include "ops/gemm/plan.h"

#include "base/integers.h"

#include <stdio.h>

/* The caller's slices are computed in one pass if c has fewer blocks; more blocks fill a device. */
#define MANY_FRAGMENTS 8192

bool glnn__cut_can_split(const glnn_context *ctx, const glnn__product *p, const glnn__cut *cut)
{
    return cut->group == 0 && !cut->joined && glnn__pass_can_split(ctx, p->c->layout) &&
           (p->b->layout == GLNN_LAYOUT_TILED ||
            (p->a->layout == GLNN_LAYOUT_TILED && !p->transpose_a));
}

/* A slice begins with a stack of blocks, and with two stacks if fragments share, because a quad belongs
 * to one slice. */
static void finish_plan(const glnn_context *ctx, const glnn__product *p, glnn__plan *plan)
{
    glnn__cut *cut = &plan->cut;
    plan->block_rows = p->c->texture->extent.height;
    cut->slices = (plan->inner - 1) / plan->slice + 1;
    cut->layered = cut->layered && glnn__cut_can_split(ctx, p, cut);
    cut->shares = cut->shares && cut->group == 0 && glnn__pass_can_share(ctx, p->c->layout) &&
                  (!plan->partial || plan->block_rows > cut->stack);
    if (plan->partial)
        plan->block_rows =
            glnn__round_up(plan->block_rows, cut->shares ? 2 * cut->stack : cut->stack);
}

void glnn__plan_make(const glnn_context *ctx, const glnn__product *p, const glnn__cut *cut,
                     glnn__plan *out)
{
    const int inner = glnn__product_shape(p).inner, multiple = cut->joined ? 4 : 8;
    const int slice = glnn__round_up((inner - 1) / cut->slices + 1, multiple);
    *out = (glnn__plan){.cut = *cut, .inner = inner, .slice = glnn__least(slice, inner)};
    out->partial = out->slice < inner && !cut->joined;
    finish_plan(ctx, p, out);
}

void glnn__plan_make_told(const glnn_context *ctx, const glnn__product *p, const glnn__cut *cut,
                          glnn__plan *out)
{
    const glnn__extent extent = p->c->texture->extent;
    const int inner = glnn__product_shape(p).inner;
    const int slice = p->slice > 0 ? glnn__round_up(glnn__least(p->slice, inner), 8) : inner;
    const int slices = (inner - 1) / slice + 1;
    const bool fits = slices <= ctx->info.max_texture_size / (extent.height + 1);
    const bool few = extent.width * extent.height < MANY_FRAGMENTS;
    *out = (glnn__plan){.cut = *cut, .inner = inner, .slice = slice};
    out->partial = slices > 1 && (p->accumulate == GLNN_ACCUMULATE_PARTIAL ||
                                  (p->accumulate == GLNN_ACCUMULATE_AUTO && fits && few));
    finish_plan(ctx, p, out);
}

void glnn__plan_describe(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                         char *text, size_t size)
{
    static const char *const fetchings[GLNN__FETCHING_COUNT] = {"texelFetch",
                                                                "sampled coordinates"};
    const glnn__cut *cut = &plan->cut;
    char slices[96] = "in one piece", time[48] = "", strips[64] = "";
    if (cut->slices > 1)
        snprintf(slices, sizeof slices, "in %d slices of %d %s", cut->slices, plan->slice,
                 plan->partial ? "side by side and a fold"
                 : cut->joined ? "summed in work groups"
                               : "blended one after the other");
    if (cut->expected_us > 0)
        snprintf(time, sizeof time, ", %.1f us expected", cut->expected_us);
    if (plan->pass_us > 1e3 * ctx->pass_limit_ms)
        snprintf(strips, sizeof strips, ", strips of at most %g ms", ctx->pass_limit_ms);
    snprintf(text, size, "%d x %d x %d, %s stage: %s, operands by %s%s%s%s%s%s%s", p->c->rows,
             p->c->columns, plan->inner, glnn_stage_name(ctx->info.stage), slices,
             fetchings[cut->fetching], cut->layered ? ", layer by layer" : "",
             cut->shares ? ", shared within quads" : "",
             cut->group > 0 ? ", shared within work groups" : "",
             cut->stack > 1 ? ", two blocks a fragment" : "", strips, time);
}
