/* The choice of a plan: the caller's slices, else the least expected time. */
#include "ops/gemm/plans.h"

#include "base/hash.h"
#include "base/status.h"

static glnn_status choose(glnn_context *ctx, const glnn__product *p, const glnn__gemm_key *key,
                          glnn__plan *out)
{
    const glnn__shape *shape = &key->shape;
    *out = (glnn__plan){
        .slices = 1, .stack = 1, .shares = true, .group = glnn__cost_group(ctx, shape)};
    if (!glnn__product_is_cut(p))
        GLNN__TRY(glnn__cost_choose(ctx, shape, key->can_stack, out));
    GLNN__TRY(glnn__plan_read(ctx, p, out));
    glnn__plan_complete(ctx, p, out);
    const int slices = out->partial ? out->slices : 1;
    return glnn__pass_time(ctx, shape->layout,
                           (double)shape->rows * shape->columns * out->slice * slices,
                           &out->pass_us);
}

/* Stacks may change the order of a sum. The profile is therefore measured before the first product
 * is planned, so that all plans of the context come from the same profile. */
static glnn_status make_key(glnn_context *ctx, const glnn__product *p, glnn__gemm_key *out)
{
    const glnn__shape shape = glnn__product_shape(p);
    const glnn__profile *profile;
    const bool is_short = glnn__shape_is_short(&shape);
    if (!is_short)
        GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(shape.layout), &profile));
    glnn__gemm_key_fill(ctx, p, !is_short && glnn__pass_can_stack(ctx, p->c), out);
    return GLNN_OK;
}

glnn_status glnn__plan_choose(glnn_context *ctx, const glnn__product *p, glnn__plan *out)
{
    glnn__plans *plans;
    glnn__gemm_key key;
    if (p->skips_factors || p->partials > 0) {
        *out = (glnn__plan){.slices = 0};
        if (p->partials > 0)
            out->block_rows = glnn__matrix_block_rows(p->a) / p->partials;
        return GLNN_OK;
    }
    GLNN__TRY(glnn__plans_get(ctx, &plans));
    GLNN__TRY(make_key(ctx, p, &key));
    const uint32_t hash = glnn__hash(&key, sizeof key);
    const glnn__plan *known = glnn__plans_find(plans, &key, hash);
    if (known) {
        *out = *known;
        return GLNN_OK;
    }
    ++plans->chosen;
    GLNN__TRY(choose(ctx, p, &key, out));
    return glnn__plans_keep(plans, &key, hash, out);
}

glnn_status glnn__product_run(glnn_context *ctx, const glnn__product *product)
{
    glnn__plan plan;
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = glnn__plan_choose(ctx, product, &plan);
    if (!status)
        status = glnn__plan_run(ctx, product, &plan);
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
