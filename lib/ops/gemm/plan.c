#include "ops/gemm/plan.h"

#include "base/hash.h"
#include "base/integers.h"
#include "base/status.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The facts that a plan depends on */

bool glnn__window_is_phased(const glnn__window *w)
{
    return w->mode == GLNN__WINDOW_BACKWARD && (w->stride.height > 1 || w->stride.width > 1);
}

/* The stride without the divisors that it shares with the dilation. */
static int period_of(int stride, int dilation)
{
    int divisor = stride, rest = dilation;
    while (rest > 0) {
        const int next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    return stride / divisor;
}

glnn__sides glnn__window_period(glnn__sides stride, glnn__sides dilation)
{
    return (glnn__sides){period_of(stride.height, dilation.height),
                         period_of(stride.width, dilation.width)};
}

/* Phases after the kernel have no rows. */
static int count_phases(const glnn__window *w)
{
    return glnn__least(w->period.height, w->kernel.height) *
           glnn__least(w->period.width, w->kernel.width);
}

/* The most pixels of a side of the grid that belong to one phase. */
static int count_places(int grid, int padding, int stride)
{
    return (padding + grid - 1) / stride - padding / stride + 1;
}

/* Rows of the product into `rows` rows of c. They are more if they are ordered by phase: no work
 * group has rows of two phases. */
static int count_rows(const glnn__window *w, int rows)
{
    if (!glnn__window_is_phased(w))
        return rows;
    const int samples = rows / (w->grid.height * w->grid.width);
    const int places = count_places(w->grid.height, w->padding.height, w->stride.height) *
                       count_places(w->grid.width, w->padding.width, w->stride.width);
    return count_phases(w) * glnn__round_up(samples * places, GLNN__LARGE_GROUP);
}

/* Inner indices, or rows with transpose_a: of a phase, the most that there are. */
static int count_lines(const glnn__window *w)
{
    glnn__sides taps = w->kernel;
    if (glnn__window_is_phased(w)) {
        taps.height = glnn__ceil_div(taps.height, w->period.height);
        taps.width = glnn__ceil_div(taps.width, w->period.width);
    }
    return 4 * taps.height * taps.width * w->groups;
}

void glnn__product_complete(const glnn_context *ctx, glnn__product *p)
{
    const glnn_matrix *const matrices[] = {p->a, p->b, p->c};
    const bool has_window = p->window.mode != GLNN__WINDOW_NONE;
    p->rows = count_rows(&p->window, p->c->rows);
    p->columns = p->c->columns;
    p->inner = has_window && !p->transpose_a ? count_lines(&p->window)
               : has_window                  ? p->b->rows
               : p->transpose_a              ? p->a->rows
                                             : p->a->columns;
    p->alike = p->window.columns;
    p->layout = p->c->layout;
    p->stage = (unsigned char)glnn__pass_stage(ctx, p->c, p->epilogue);
    p->tuning = (unsigned char)ctx->info.tuning;
    for (int i = 0; i < GLNN__FACTORS; ++i)
        p->layouts[i] = (unsigned char)matrices[i]->layout;
    for (int i = 0; i < GLNN__FACTORS + 1; ++i) {
        p->storages[i] = (unsigned char)matrices[i]->storage;
        p->wraps[i] = (unsigned char)matrices[i]->texture->extent.wrap;
    }
}

#define KEY_BEGIN offsetof(glnn__product, window)
#define KEY_BYTES (offsetof(glnn__product, tuning) + 1 - KEY_BEGIN)
_Static_assert(KEY_BYTES == sizeof(glnn__window) + 7 * sizeof(int) + 4 + 2 * GLNN__FACTORS + 2 +
                                GLNN__FACTORS + 2,
               "the members have padding between them");

static const char *key_of(const glnn__product *p)
{
    return (const char *)p + KEY_BEGIN;
}

uint32_t glnn__product_hash(const glnn__product *p)
{
    return glnn__hash(key_of(p), KEY_BYTES);
}

/* A product with so few multiply-adds that its plan hardly matters. */
static bool is_short(const glnn__product *p)
{
    return (double)p->rows * p->columns * p->inner < 1048576;
}

/* Whether the caller has chosen the slices, by their length or by blending. */
static bool is_cut(const glnn__product *p)
{
    return p->slice > 0 || p->accumulate == GLNN_ACCUMULATE_BLEND;
}

/* ---- Cuts, and their cost */

/* Products with fewer inner indices than LONG_INNER are not cut into slices in a texture, and those
 * with fewer than WORTH_JOINING not into joined slices. Such a product has one cut unless it can
 * have stacks, so programs with small matrices measure nothing. No slice is shorter than
 * SHORT_SLICE. */
#define LONG_INNER    256
#define WORTH_JOINING 64
#define SHORT_SLICE   16

/* Slices with a second pass have to take less than this share of the time without slices. */
#define WORTH_IT 0.9

/* Outputs with a smaller side leave too many invocations of a sharing work group idle. */
#define LEAST_SIDE 16

/* Work groups share op(a), so their columns have to read the same elements of it. */
static bool can_group(const glnn__product *p)
{
    return p->stage == GLNN_STAGE_COMPUTE && p->layout != GLNN_LAYOUT_UNPACKED &&
           p->rows >= LEAST_SIDE && p->columns >= LEAST_SIDE && p->alike % GLNN__SMALL_GROUP == 0;
}

static int largest_group(const glnn__product *p)
{
    return !can_group(p)                       ? 0
           : p->alike % GLNN__LARGE_GROUP == 0 ? GLNN__LARGE_GROUP
                                               : GLNN__SMALL_GROUP;
}

/* The side of work groups if the caller has chosen the slices; 0: none. */
static int usual_group(const glnn__product *p)
{
    const bool is_large = p->rows >= GLNN__LARGE_GROUP && p->columns >= GLNN__LARGE_GROUP;
    return !can_group(p) ? 0 : is_large ? largest_group(p) : GLNN__SMALL_GROUP;
}

static bool can_slice(const glnn_context *ctx, const glnn__product *p, int slices)
{
    const int block_rows = glnn__ceil_div(p->rows, glnn__layout_in(ctx, p->layout)->block_rows);
    return slices == 1 || (p->inner >= LONG_INNER && p->inner / slices >= SHORT_SLICE &&
                           slices <= ctx->info.max_texture_size / (block_rows + 1));
}

int glnn__cost_cuts(const glnn_context *ctx, const glnn__product *p, glnn__plan out[GLNN__MAX_CUTS])
{
    const bool joins = p->stage == GLNN_STAGE_COMPUTE && p->inner >= WORTH_JOINING;
    const int largest = largest_group(p);
    int count = 0;
    for (int slices = 1; can_slice(ctx, p, slices) && count + 4 < GLNN__MAX_CUTS; slices *= 2) {
        glnn__plan cut = {.slices = slices, .blocking = {.stack = 1, .shares = true}};
        int *group = &cut.blocking.group_side;
        if (slices == 1 || !joins)
            out[count++] = cut;
        for (*group = GLNN__SMALL_GROUP; *group <= largest; *group *= 2)
            out[count++] = cut;
        *group = 0;
        cut.blocking.stack = GLNN__STACK;
        if (p->can_stack)
            out[count++] = cut;
    }
    if (joins)
        out[count++] = (glnn__plan){
            .slices = GLNN__GROUP_SLICES,
            .blocking = {.stack = 1, .shares = true, .group_slices = GLNN__GROUP_SLICES}};
    return count;
}

/* Slices need a second pass, which adds them, unless a work group does. */
static bool has_second_pass(const glnn__plan *cut)
{
    return cut->slices > 1 && cut->blocking.group_slices == 0;
}

/* The time of one step of a fragment's loop, which is mostly waiting for fetches. It is that of a
 * step of a product with few fragments: four inner indices. */
static double step_us(const glnn_context *ctx, const glnn__profile *profile, glnn_layout layout)
{
    const glnn__layout_info *info = glnn__layout_in(ctx, layout);
    const double multiply_adds = 4.0 * info->block_rows * info->block_columns;
    return multiply_adds / glnn__profile_product(profile, layout, 1);
}

/* Multiply-adds divided by a speed that depends on the number of fragments. A second pass reads all
 * slices, one after the other, and writes the sum. */
double glnn__cost_time(const glnn_context *ctx, const glnn__profile *profile,
                       const glnn__product *p, const glnn__plan *cut)
{
    const glnn__layout_info *layout = glnn__layout_in(ctx, p->layout);
    const glnn__writing *writing = glnn__profile_writing(profile);
    const int group = cut->blocking.group_side;
    const double blocks = (double)glnn__ceil_div(p->rows, layout->block_rows) *
                          glnn__ceil_div(p->columns, layout->block_columns);
    const double stored = blocks * layout->block_rows * layout->block_columns * cut->slices;
    double computed = stored, speed, us = writing->pass_us;
    if (group > 0)
        computed = (double)glnn__ceil_div(p->rows, group) * glnn__ceil_div(p->columns, group) *
                   group * group * cut->slices;
    if (group > 0 || cut->blocking.stack > 1)
        speed = glnn__profile_shared(profile, group == GLNN__SMALL_GROUP, computed);
    else
        speed = glnn__profile_product(profile, p->layout, blocks * cut->slices);
    us += computed * p->inner / cut->slices / speed;
    if (cut->blocking.group_slices > 0)
        us += 2 * step_us(ctx, profile, p->layout);
    if (has_second_pass(cut))
        us += writing->pass_us + cut->slices * step_us(ctx, profile, p->layout) +
              sizeof(float) * stored * (cut->slices + 1) / cut->slices / writing->copied;
    return us;
}

/* A product with few inner indices has one slice, and small work groups if there are any. */
glnn_status glnn__cost_choose(glnn_context *ctx, const glnn__product *p, glnn__plan *out)
{
    const glnn__profile *profile;
    glnn__plan cuts[GLNN__MAX_CUTS];
    const int count = glnn__cost_cuts(ctx, p, cuts);
    *out = cuts[count > 1];
    if (count == 1 || (p->inner < WORTH_JOINING && !p->can_stack))
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(p->layout), &profile));
    for (int i = 0; i < count; ++i) {
        cuts[i].expected_us = glnn__cost_time(ctx, profile, p, &cuts[i]);
        const double worth = has_second_pass(&cuts[i]) && !has_second_pass(out) ? WORTH_IT : 1;
        if (i == 0 || cuts[i].expected_us < worth * out->expected_us)
            *out = cuts[i];
    }
    return GLNN_OK;
}

/* ---- Plans of cuts */

/* Slices that the caller has chosen are computed in one pass if c has fewer blocks than this. More
 * blocks fill a device anyway. */
#define MANY_FRAGMENTS 8192

bool glnn__plan_can_split(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                          int factor)
{
    const int mode = p->window.mode;
    const bool depends_on_place =
        factor == GLNN__GEMM_A ? p->transpose_a || mode : mode == GLNN__WINDOW_BACKWARD;
    return p->layouts[factor] == GLNN_LAYOUT_TILED && !depends_on_place &&
           plan->blocking.group_side == 0 && plan->blocking.group_slices == 0 &&
           glnn__pass_can_split(ctx, p->layout);
}

/* The fastest way to read depends on whether the cut can read layer by layer. A short product keeps
 * the default. */
static glnn_status choose_reading(glnn_context *ctx, const glnn__product *p, glnn__plan *plan)
{
    bool *layered = plan->blocking.layered, can_split[GLNN__FACTORS], is_faster = false;
    if (is_short(p))
        return GLNN_OK;
    for (int i = 0; i < GLNN__FACTORS; ++i)
        can_split[i] = glnn__plan_can_split(ctx, p, plan, i);
    GLNN__TRY(glnn__profile_fetching(ctx, p->layout, &plan->fetching,
                                     can_split[0] || can_split[1] ? &is_faster : NULL));
    for (int i = 0; i < GLNN__FACTORS; ++i)
        layered[i] = is_faster && can_split[i];
    return GLNN_OK;
}

/* The caller's slices have any length. Those that the library chooses consist of whole tiles of
 * eight inner indices, or of column groups. */
static int slice_length(const glnn__product *p, const glnn__plan *plan)
{
    if (is_cut(p))
        return p->slice > 0 ? p->slice : p->inner;
    return glnn__round_up(glnn__ceil_div(p->inner, plan->slices),
                          plan->blocking.group_slices > 0 ? 4 : 8);
}

/* Whether slices that the caller has chosen are computed in one pass. */
static bool fits_side_by_side(const glnn_context *ctx, const glnn__product *p, int slices)
{
    const int block_rows = glnn__matrix_block_rows(p->c);
    const int block_columns = glnn__ceil_div(p->c->columns, glnn__layout_of(p->c)->block_columns);
    return p->accumulate == GLNN_ACCUMULATE_PARTIAL ||
           (p->accumulate == GLNN_ACCUMULATE_AUTO &&
            slices <= ctx->info.max_texture_size / (block_rows + 1) &&
            (int64_t)block_columns * block_rows < MANY_FRAGMENTS);
}

/* Whether fragments may share. A scratch matrix with more rows than c can be wrapped even if c is
 * not. */
static bool can_share(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan)
{
    const int stack = plan->blocking.stack;
    const int64_t block_rows =
        (int64_t)glnn__round_up(plan->block_rows, 2 * stack) * (plan->partial ? plan->slices : 1);
    return plan->blocking.group_side == 0 && glnn__pass_can_share(ctx, p->c) &&
           p->alike % (2 * glnn__layout_in(ctx, p->layout)->block_columns) == 0 &&
           (!plan->partial || plan->block_rows > stack) && block_rows <= ctx->info.max_texture_size;
}

/* Each slice begins with a whole stack of blocks. If fragments share, it begins with two, so that
 * all fragments of a quad belong to the same slice. */
void glnn__plan_complete(const glnn_context *ctx, const glnn__product *p, glnn__plan *plan)
{
    const int block_rows = glnn__layout_in(ctx, p->layout)->block_rows;
    glnn__blocking *blocking = &plan->blocking;
    plan->slice = glnn__least(slice_length(p, plan), p->inner);
    plan->slices = glnn__ceil_div(p->inner, plan->slice);
    if (plan->slices > 1 && plan->slice % 4 > 0)
        blocking->group_side = 0;
    plan->partial = plan->slices > 1 && blocking->group_slices == 0 &&
                    (!is_cut(p) || fits_side_by_side(ctx, p, plan->slices));
    plan->block_rows = glnn__ceil_div(p->rows, block_rows);
    for (int i = 0; i < GLNN__FACTORS; ++i)
        blocking->layered[i] = blocking->layered[i] && glnn__plan_can_split(ctx, p, plan, i);
    blocking->shares = blocking->shares && can_share(ctx, p, plan);
    if (plan->partial)
        plan->block_rows = glnn__round_up(plan->block_rows,
                                          blocking->shares ? 2 * blocking->stack : blocking->stack);
    blocking->group_layers = plan->partial ? plan->slices : 1;
    blocking->group_rows = block_rows * plan->block_rows;
}

void glnn__plan_describe(const glnn_context *ctx, const glnn__product *p, const glnn__plan *plan,
                         char *text, size_t size)
{
    static const char *const fetchings[GLNN__FETCHING_COUNT] = {"texelFetch",
                                                                "sampled coordinates"};
    const glnn__blocking *blocking = &plan->blocking;
    char slices[96] = "in one piece", time[48] = "", strips[64] = "";
    if (plan->slices == 0) {
        snprintf(text, size, "%d x %d x %d, %s stage: alpha is 0, so the factors are not read",
                 p->c->rows, p->c->columns, p->inner, glnn_stage_name(ctx->info.stage));
        return;
    }
    if (plan->slices > 1)
        snprintf(slices, sizeof slices, "in %d slices of %d %s", plan->slices, plan->slice,
                 plan->partial                ? "side by side and a fold"
                 : blocking->group_slices > 0 ? "summed in work groups"
                                              : "blended one after the other");
    if (plan->expected_us > 0)
        snprintf(time, sizeof time, ", %.1f us expected", plan->expected_us);
    if (plan->pass_us > 1e3 * ctx->pass_limit_ms)
        snprintf(strips, sizeof strips, ", strips of at most %g ms", ctx->pass_limit_ms);
    snprintf(text, size, "%d x %d x %d, %s stage: %s, operands by %s%s%s%s%s%s%s", p->c->rows,
             p->c->columns, p->inner, glnn_stage_name(ctx->info.stage), slices,
             fetchings[plan->fetching],
             blocking->layered[0] || blocking->layered[1] ? ", layer by layer" : "",
             blocking->shares ? ", shared within quads" : "",
             blocking->group_side > 0 ? ", shared within work groups" : "",
             blocking->stack > 1 ? ", two blocks a fragment" : "", strips, time);
}

/* ---- The plans that a context remembers */

/* Places of the first table. */
#define FIRST_ROOM 64

typedef struct glnn__known_plan {
    char key[KEY_BYTES];
    uint32_t hash;
    bool is_used;
    glnn__plan plan;
} known_plan;

static void forget(glnn__plans *plans)
{
    free(plans->places);
    plans->places = NULL;
    plans->room = plans->count = 0;
}

static void destroy_plans(glnn_context *ctx, void *state)
{
    (void)ctx;
    forget(state);
}

static glnn__slot slot = {
    .holds = "the plans of matrix products", .size = sizeof(glnn__plans), .destroy = destroy_plans};

glnn_status glnn__plans_get(glnn_context *ctx, glnn__plans **out)
{
    const unsigned age = glnn__device_of(ctx)->profile_age;
    GLNN__TRY(glnn__slot_get(ctx, &slot, out));
    glnn__plans *plans = *out;
    if (plans->profile_age != age)
        forget(plans);
    plans->profile_age = age;
    return GLNN_OK;
}

/* The place of a product, or the free one that it would take. */
static known_plan *place_of(const glnn__plans *plans, const char *key, uint32_t hash)
{
    uint32_t at = hash & (plans->room - 1);
    while (plans->places[at].is_used &&
           (plans->places[at].hash != hash || memcmp(plans->places[at].key, key, KEY_BYTES) != 0))
        at = (at + 1) & (plans->room - 1);
    return &plans->places[at];
}

/* Makes room for one more plan. */
static glnn_status grow(glnn__plans *plans)
{
    if (plans->count == GLNN__MOST_PLANS)
        forget(plans);
    if (2 * plans->count < plans->room)
        return GLNN_OK;
    glnn__plans larger = {.room = plans->room > 0 ? 2 * plans->room : FIRST_ROOM};
    larger.places = calloc(larger.room, sizeof *larger.places);
    if (!larger.places)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %u plans of matrix products", larger.room);
    for (uint32_t i = 0; i < plans->room; ++i)
        if (plans->places[i].is_used)
            *place_of(&larger, plans->places[i].key, plans->places[i].hash) = plans->places[i];
    free(plans->places);
    plans->places = larger.places;
    plans->room = larger.room;
    return GLNN_OK;
}

/* Remembers the plan of a product that is unknown. */
static glnn_status keep(glnn__plans *plans, const glnn__product *p, uint32_t hash,
                        const glnn__plan *plan)
{
    GLNN__TRY(grow(plans));
    known_plan *place = place_of(plans, key_of(p), hash);
    *place = (known_plan){.hash = hash, .is_used = true, .plan = *plan};
    memcpy(place->key, key_of(p), KEY_BYTES);
    ++plans->count;
    return GLNN_OK;
}

/* The caller's slices, else the least expected time. */
static glnn_status choose(glnn_context *ctx, const glnn__product *p, glnn__plan *out)
{
    *out = (glnn__plan){
        .slices = 1,
        .blocking = {.stack = 1, .shares = true, .group_side = usual_group(p)},
    };
    if (!is_cut(p))
        GLNN__TRY(glnn__cost_choose(ctx, p, out));
    GLNN__TRY(choose_reading(ctx, p, out));
    glnn__plan_complete(ctx, p, out);
    const int slices = out->partial ? out->slices : 1;
    return glnn__pass_time(ctx, p->layout, (double)p->rows * p->columns * out->slice * slices,
                           &out->pass_us);
}

/* Stacks may change the order of a sum. The profile is therefore measured before the first product
 * is planned, so that all plans of the context come from the same profile. */
static glnn_status ask_stacks(glnn_context *ctx, glnn__product *p)
{
    const glnn__profile *profile;
    if (is_short(p))
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(p->layout), &profile));
    p->can_stack = glnn__pass_can_stack(ctx, p->c);
    return GLNN_OK;
}

glnn_status glnn__plan_choose(glnn_context *ctx, glnn__product *p, glnn__plan *out)
{
    glnn__plans *plans;
    *out = (glnn__plan){.slices = 0};
    if (p->partials > 0) {
        out->block_rows = glnn__matrix_block_rows(p->a) / p->partials;
        return GLNN_OK;
    }
    glnn__product_complete(ctx, p);
    if (p->skips_factors)
        return GLNN_OK;
    GLNN__TRY(glnn__plans_get(ctx, &plans));
    GLNN__TRY(ask_stacks(ctx, p));
    const uint32_t hash = glnn__product_hash(p);
    const known_plan *known = plans->room > 0 ? place_of(plans, key_of(p), hash) : NULL;
    if (known && known->is_used) {
        *out = known->plan;
        return GLNN_OK;
    }
    ++plans->chosen;
    GLNN__TRY(choose(ctx, p, out));
    return keep(plans, p, hash, out);
}
