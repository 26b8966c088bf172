#include "ops/gemm/plan.h"

#include "base/status.h"
#include "ops/gemm/race.h"
#include "ops/pass_time.h"
#include "pass/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slices of the caller's go side by side where c has fewer blocks: more fill a device. */
#define MANY_FRAGMENTS 8192

static int round_up(int value, int multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

bool glnn__product_reads_target(const glnn__product *p)
{
    return p->a == p->c || p->b == p->c || p->bias == p->c || p->derivative_of == p->c;
}

bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    return plan->group == 0 && !plan->joined && glnn__pass_can_split(ctx, p->c->layout) &&
           (p->b->layout == GLNN_LAYOUT_TILED ||
            (p->a->layout == GLNN_LAYOUT_TILED && !p->transpose_a));
}

/* Multiply-adds below which it does not matter how operands are read, and by how many fragments. */
#define SHORT_PRODUCT 1048576.0

static int inner_of(const glnn__product *p)
{
    return p->transpose_a ? p->a->rows : p->a->columns;
}

static bool is_short(const glnn__product *p)
{
    return (double)p->c->rows * p->c->columns * inner_of(p) < SHORT_PRODUCT;
}

/* Stacks change the order of sums where fragments share: the profile is measured before the first one is
 * planned, so that later plans agree with it. */
static glnn_status may_stack(glnn_context *ctx, const glnn__product *p, bool *out)
{
    const glnn__profile *profile;
    *out = false;
    if (is_short(p))
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(p->c->layout), &profile));
    *out = glnn__pass_can_stack(ctx, p->c);
    return GLNN_OK;
}

static glnn_status choose_reading(glnn_context *ctx, const glnn__product *p, glnn__plan *plan)
{
    if (is_short(p))
        return GLNN_OK;
    return glnn__profile_fetching(ctx, p->c->layout, &plan->fetching,
                                  glnn__plan_can_split(ctx, p, plan) ? &plan->layered : NULL);
}

/* A slice begins with a stack of blocks, and where fragments share with two, because a quad belongs to
 * one slice. */
static void choose_sharing(const glnn_context *ctx, const glnn__product *p, bool shares,
                           glnn__plan *plan)
{
    plan->block_rows = p->c->texture->extent.height;
    plan->shares = shares && plan->group == 0 && glnn__pass_can_share(ctx, p->c->layout) &&
                   (!plan->partial || plan->block_rows > plan->stack);
    if (plan->partial)
        plan->block_rows = round_up(plan->block_rows, plan->shares ? 2 * plan->stack : plan->stack);
}

void glnn__plan_cut(const glnn_context *ctx, const glnn__product *p, const glnn__cut *cut,
                    bool shares, glnn__plan *plan)
{
    plan->group = cut->group;
    plan->stack = cut->stack;
    plan->joined = cut->joined;
    plan->layered = plan->layered && glnn__plan_can_split(ctx, p, plan);
    plan->slice = glnn__model_slice(cut, plan->inner);
    plan->slices = (plan->inner - 1) / plan->slice + 1;
    plan->partial = plan->slices > 1 && !cut->joined;
    plan->expected_us = cut->expected_us;
    choose_sharing(ctx, p, shares, plan);
}

/* As the caller cuts it. */
static void cut_as_told(const glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                        glnn__plan *plan)
{
    const glnn__extent extent = p->c->texture->extent;
    plan->slice = p->slice > 0 ? round_up(least(p->slice, plan->inner), 8) : plan->inner;
    plan->slices = (plan->inner - 1) / plan->slice + 1;
    const bool fits = plan->slices <= ctx->info.max_texture_size / (extent.height + 1);
    const bool few = extent.width * extent.height < MANY_FRAGMENTS;
    plan->partial = plan->slices > 1 && (p->accumulate == GLNN_ACCUMULATE_PARTIAL ||
                                         (p->accumulate == GLNN_ACCUMULATE_AUTO && fits && few));
    plan->stack = 1;
    plan->group = glnn__model_group(ctx, shape);
    plan->layered = plan->layered && glnn__plan_can_split(ctx, p, plan);
    choose_sharing(ctx, p, true, plan);
}

/* The winner of a race, where one was held, else what the cost model says. */
static glnn_status choose_cut(glnn_context *ctx, const glnn__product *p, const glnn__shape *shape,
                              bool can_stack, glnn__plan *plan)
{
    glnn__cut cut;
    bool is_known;
    if (p->slice > 0 || p->accumulate == GLNN_ACCUMULATE_BLEND) {
        cut_as_told(ctx, p, shape, plan);
        return GLNN_OK;
    }
    GLNN__TRY(glnn__race_winner(ctx, p, shape, plan, &is_known));
    if (is_known)
        return GLNN_OK;
    GLNN__TRY(glnn__model_cut(ctx, shape, can_stack, &cut));
    glnn__plan_cut(ctx, p, &cut, true, plan);
    return GLNN_OK;
}

static glnn_status make(glnn_context *ctx, const glnn__product *p, bool can_stack, glnn__plan *out)
{
    *out = (glnn__plan){
        .inner = inner_of(p),
        .maps = p->activation != GLNN_MAP_IDENTITY || p->derivative_of,
    };
    out->in_place = p->addend == p->c && !out->maps && !glnn__product_reads_target(p);
    const glnn__shape shape = {p->c->layout, p->c->rows, p->c->columns, out->inner};
    GLNN__TRY(choose_reading(ctx, p, out));
    GLNN__TRY(choose_cut(ctx, p, &shape, can_stack, out));
    const int slices = out->partial ? out->slices : 1;
    return glnn__pass_time(ctx, p->c->layout,
                           (double)p->c->rows * p->c->columns * out->slice * slices, &out->pass_us);
}

void glnn__plan_describe(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                         char *text, size_t size)
{
    static const char *const fetchings[GLNN__FETCHING_COUNT] = {"texelFetch",
                                                                "sampled coordinates"};
    static const char *const literals[GLNN__LITERALS_COUNT] = {"", ", literal sizes",
                                                               ", literal sizes and bounds"};
    char cuts[96] = "in one piece", time[48] = "", strips[64] = "";
    if (plan->slices > 1)
        snprintf(cuts, sizeof cuts, "in %d slices of %d %s", plan->slices, plan->slice,
                 plan->partial  ? "side by side and a fold"
                 : plan->joined ? "summed in work groups"
                                : "blended one after the other");
    if (plan->expected_us > 0)
        snprintf(time, sizeof time, ", %.1f us expected", plan->expected_us);
    if (plan->pass_us > 1e3 * ctx->pass_limit_ms)
        snprintf(strips, sizeof strips, ", strips of at most %g ms", ctx->pass_limit_ms);
    snprintf(text, size, "%d x %d x %d, %s stage: %s, operands by %s%s%s%s%s%s%s%s", p->c->rows,
             p->c->columns, plan->inner, glnn_stage_name(ctx->info.stage), cuts,
             fetchings[plan->fetching], plan->layered ? ", layer by layer" : "",
             literals[plan->literals], plan->shares ? ", shared within quads" : "",
             plan->group > 0 ? ", shared within work groups" : "",
             plan->stack > 1 ? ", two blocks a fragment" : "", strips, time);
}

/* ---- Plans that were made before */

/* All that a plan depends on but the context; bytes without a value are zero. */
typedef struct plan_key {
    unsigned profile_age;
    int rows, columns, inner, slice;
    unsigned char layouts[3], storages[3], tuning, stage, accumulate;
    unsigned char transpose_a, transpose_b, augment, maps, is_in_place, adds, can_stack;
} plan_key;

#define PLAN_COUNT 256

typedef struct plans {
    struct {
        plan_key key;
        glnn__plan plan;
    } entries[PLAN_COUNT]; /* a product finds its plan in one place, or makes it */
} plans;

static void destroy_plans(glnn_context *ctx, void *state)
{
    (void)ctx;
    free(state);
}

static glnn_status get_plans(glnn_context *ctx, plans **out)
{
    if (!ctx->slots[GLNN__SLOT_OPS].state) {
        ctx->slots[GLNN__SLOT_OPS].state = calloc(1, sizeof(plans));
        ctx->slots[GLNN__SLOT_OPS].destroy = destroy_plans;
    }
    *out = ctx->slots[GLNN__SLOT_OPS].state;
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for plans");
}

static void fill_key(const glnn_context *ctx, const glnn__product *p, bool can_stack, plan_key *key)
{
    memset(key, 0, sizeof *key);
    key->profile_age = ctx->profile_age;
    key->rows = p->c->rows;
    key->columns = p->c->columns;
    key->inner = inner_of(p);
    key->slice = p->slice;
    key->layouts[0] = (unsigned char)p->a->layout;
    key->layouts[1] = (unsigned char)p->b->layout;
    key->layouts[2] = (unsigned char)p->c->layout;
    key->storages[0] = (unsigned char)p->a->storage;
    key->storages[1] = (unsigned char)p->b->storage;
    key->storages[2] = (unsigned char)p->c->storage;
    key->tuning = (unsigned char)ctx->info.tuning;
    key->stage = (unsigned char)ctx->info.stage;
    key->accumulate = (unsigned char)p->accumulate;
    key->transpose_a = p->transpose_a;
    key->transpose_b = p->transpose_b;
    key->augment = p->augment;
    key->maps = p->activation != GLNN_MAP_IDENTITY || p->derivative_of;
    key->is_in_place = p->addend == p->c && !glnn__product_reads_target(p);
    key->adds = p->addend != NULL;
    key->can_stack = can_stack;
}

static uint32_t hash_key(const plan_key *key)
{
    const unsigned char *bytes = (const unsigned char *)key;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof *key; ++i)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

glnn_status glnn__plan_make(glnn_context *ctx, const glnn__product *p, glnn__plan *out)
{
    plans *known;
    plan_key key;
    bool can_stack;
    GLNN__TRY(get_plans(ctx, &known));
    GLNN__TRY(may_stack(ctx, p, &can_stack));
    fill_key(ctx, p, can_stack, &key);
    const uint32_t place = hash_key(&key) % PLAN_COUNT;
    if (memcmp(&known->entries[place].key, &key, sizeof key) != 0) {
        GLNN__TRY(make(ctx, p, can_stack, out));
        known->entries[place].key = key;
        known->entries[place].plan = *out;
    }
    *out = known->entries[place].plan;
    return GLNN_OK;
}
