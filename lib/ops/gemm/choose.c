/* The choice of a plan: the caller's, else the winner of a race, else the least expected time. */
#include "ops/gemm/plan.h"

#include "base/hash.h"
#include "base/status.h"
#include "ops/gemm/race.h"
#include "ops/pass_time.h"

#include <stdlib.h>
#include <string.h>

/* With fewer multiply-adds the way to read and the number of fragments do not matter. */
#define SHORT_PRODUCT 1048576.0

static double count_multiply_adds(const glnn__shape *shape)
{
    return (double)shape->rows * shape->columns * shape->inner;
}

/* Stacks change the order of sums if fragments share, so the profile is measured before the first product
 * is planned, so that later plans agree with it. */
static glnn_status may_stack(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                             bool *out)
{
    const glnn__profile *profile;
    *out = false;
    if (count_multiply_adds(shape) < SHORT_PRODUCT)
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(shape->layout), &profile));
    *out = glnn__pass_can_stack(ctx, p->c);
    return GLNN_OK;
}

/* Has a cut read its operands as is fastest by the device profile. Not every cut can read them layer by
 * layer, and the next best way is another one. */
static glnn_status choose_reading(glnn_context *ctx, const glnn__product *p,
                                  const glnn__shape *shape, glnn__cut *cut)
{
    if (count_multiply_adds(shape) < SHORT_PRODUCT)
        return GLNN_OK;
    return glnn__profile_fetching(ctx, shape->layout, &cut->fetching,
                                  glnn__cut_can_split(ctx, p, cut) ? &cut->layered : NULL);
}

static glnn_status choose_cut(glnn_context *ctx, const glnn__product *p, const glnn__gemm_key *key,
                              glnn__plan *out)
{
    bool is_known;
    glnn__cut cut = {.slices = 1, .stack = 1, .shares = true};
    GLNN__TRY(choose_reading(ctx, p, &key->shape, &cut));
    GLNN__TRY(glnn__race_winner(ctx, p, key, &cut, out, &is_known));
    if (is_known)
        return GLNN_OK;
    GLNN__TRY(glnn__cost_choose(ctx, &key->shape, key->can_stack, &cut));
    GLNN__TRY(choose_reading(ctx, p, &key->shape, &cut));
    glnn__plan_make(ctx, p, &cut, out);
    return GLNN_OK;
}

static glnn_status cut_as_told(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                               glnn__plan *out)
{
    glnn__cut cut = {
        .slices = 1, .stack = 1, .shares = true, .group = glnn__cost_group(ctx, shape)};
    GLNN__TRY(choose_reading(ctx, p, shape, &cut));
    glnn__plan_make_told(ctx, p, &cut, out);
    return GLNN_OK;
}

static glnn_status choose(glnn_context *ctx, const glnn__product *p, const glnn__gemm_key *key,
                          glnn__plan *out)
{
    if (p->slice > 0 || p->accumulate == GLNN_ACCUMULATE_BLEND)
        GLNN__TRY(cut_as_told(ctx, p, &key->shape, out));
    else
        GLNN__TRY(choose_cut(ctx, p, key, out));
    const int slices = out->partial ? out->cut.slices : 1;
    return glnn__pass_time(ctx, key->shape.layout,
                           (double)p->c->rows * p->c->columns * out->slice * slices, &out->pass_us);
}

#define PLAN_COUNT 256

/* The plans in memory. The hash of a product's key gives the one entry for its plan. */
typedef struct memory {
    struct {
        glnn__gemm_key key;
        glnn__plan plan;
    } entries[PLAN_COUNT];
    unsigned profile_age; /* of the profile from which the plans were made */
} memory;

static void destroy_memory(glnn_context *ctx, void *state)
{
    (void)ctx;
    free(state);
}

static glnn_status get_memory(glnn_context *ctx, memory **out)
{
    if (!ctx->slots[GLNN__SLOT_OPS].state) {
        ctx->slots[GLNN__SLOT_OPS].state = calloc(1, sizeof(memory));
        ctx->slots[GLNN__SLOT_OPS].destroy = destroy_memory;
    }
    memory *known = ctx->slots[GLNN__SLOT_OPS].state;
    if (!known)
        return glnn__fail(GLNN_E_NOMEM, "no memory for plans");
    *out = known;
    return GLNN_OK;
}

glnn_status glnn__plan_choose(glnn_context *ctx, const glnn__product *p, glnn__plan *out)
{
    memory *known = NULL;
    glnn__gemm_key key;
    bool can_stack;
    const glnn__shape shape = glnn__product_shape(p);
    GLNN__TRY(get_memory(ctx, &known));
    if (known->profile_age != ctx->profile_age)
        *known = (memory){.profile_age = ctx->profile_age};
    GLNN__TRY(may_stack(ctx, p, &shape, &can_stack));
    glnn__gemm_key_fill(ctx, p, can_stack, &key);
    const uint32_t place = glnn__hash(&key, sizeof key) % PLAN_COUNT;
    if (memcmp(&known->entries[place].key, &key, sizeof key) != 0) {
        GLNN__TRY(choose(ctx, p, &key, out));
        known->entries[place].key = key;
        known->entries[place].plan = *out;
    }
    *out = known->entries[place].plan;
    return GLNN_OK;
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
