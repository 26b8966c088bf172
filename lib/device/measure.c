#include "device/measure.h"

#include "base/status.h"
#include "ops/copy.h"
#include "ops/fill.h"
#include "ops/reduce.h"

#include <stdlib.h>
#include <string.h>

/* Sides of the matrix that is copied and reduced, rows that remain of it, and turns of the probes. */
#define SIDE         1024
#define REDUCED_SIDE 32
#define TURNS        64

static const double elements = (double)SIDE * SIDE;

#define MOST_SAMPLES 56
#define MOST_TRIALS  64

/* One session: the trials of all groups, and their matrices. */
typedef struct session {
    glnn_context *ctx;
    glnn_stage stage;
    glnn__way targets, images;
    int choice; /* of the group under way, see methods */
    glnn_matrix *samples[MOST_SAMPLES];
    int sample_count;
    glnn__trial trials[MOST_TRIALS];
    int trial_count;
} session;

/* Adds a trial that writes to render targets, or images. */
static glnn__trial *add(session *s, glnn__trial trial, bool images)
{
    glnn__trial *added = &s->trials[s->trial_count++];
    *added = trial;
    added->pass.way = images ? &s->images : &s->targets;
    return added;
}

/* Matrices that are read, and those that are written. */
typedef enum role { SOURCE, TARGET } sample_role;

/* A matrix of zeros; groups share those of one size. */
static glnn_status sample(session *s, sample_role role, glnn_layout layout, int rows, int columns,
                          glnn_matrix **out)
{
    static const char *const names[] = {"speed sample", "speed result"};
    for (int i = 0; i < s->sample_count; ++i) {
        *out = s->samples[i];
        if ((*out)->layout == layout && (*out)->rows == rows && (*out)->columns == columns &&
            strcmp((*out)->name, names[role]) == 0)
            return GLNN_OK;
    }
    const glnn_matrix_desc desc = {
        .rows = rows, .columns = columns, .layout = layout, .name = names[role]};
    GLNN__TRY(glnn_matrix_create(s->ctx, &desc, out));
    s->samples[s->sample_count++] = *out;
    return GLNN_OK;
}

/* ---- Operations that mostly read and write */

static glnn_status add_writing(session *s)
{
    enum { SMALL = 8, CHAIN = 64 };
    glnn_matrix *x, *y, *small;
    GLNN__TRY(sample(s, SOURCE, GLNN_LAYOUT_TILED, SIDE, SIDE, &x));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SIDE, SIDE, &y));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SMALL, SMALL, &small));
    add(s, (glnn__trial){.pass = glnn__copy_pass(x, y)}, s->choice);
    add(s, (glnn__trial){.pass = glnn__copy_pass(small, small), .repeats = CHAIN}, s->choice);
    return GLNN_OK;
}

static void take_writing(const session *s, const glnn__trial *t, glnn__profile *out)
{
    glnn__writing *writing = s->choice ? &out->images : &out->targets;
    writing->copied = 2 * sizeof(float) * elements / t[0].us;
    writing->pass_us = t[1].us;
}

/* A fill blends without a fetch, so all its traffic is blending. */
static glnn_status add_blending(session *s)
{
    glnn_matrix *y;
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SIDE, SIDE, &y));
    glnn__trial *t = add(s, (glnn__trial){.pass = glnn__fill_pass(0, y)}, false);
    t->pass.blend = t->pass.blend_in_place = true;
    t->pass.blend_factor = 0.5f;
    return GLNN_OK;
}

static void take_blending(const session *s, const glnn__trial *t, glnn__profile *out)
{
    (void)s;
    out->blended = 2 * sizeof(float) * elements / t->us;
}

enum { PROBE };
enum { PROBE_TURNS, PROBE_FACTOR };

static const glnn__kernel probe_kernel = {
    .name = "device/probe",
    .operands = {"X"},
    .unviewed = 1,
    .options = {[PROBE] = "PROBE"},
    .uniforms = {[PROBE_TURNS] = "int turns", [PROBE_FACTOR] = "float factor"},
};

static glnn_status add_limits(session *s)
{
    glnn_matrix *x, *y;
    GLNN__TRY(sample(s, SOURCE, GLNN_LAYOUT_TILED, SIDE, SIDE, &x));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SIDE, SIDE, &y));
    for (unsigned fetches = 0; fetches < 2; ++fetches)
        add(s,
            (glnn__trial){
                .pass = {.kernel = &probe_kernel,
                         .operands = {{.matrix = x}},
                         .output = y,
                         .options = {[PROBE] = fetches},
                         .uniforms = {[PROBE_TURNS] = {.i = TURNS}, [PROBE_FACTOR] = {.f = 0.5f}}}},
            false);
    return GLNN_OK;
}

static void take_limits(const session *s, const glnn__trial *t, glnn__profile *out)
{
    (void)s;
    out->multiply_adds = 4 * TURNS * elements / t[0].us;
    out->fetches = TURNS * elements / 4 / t[1].us;
}

static glnn_status add_reductions(session *s)
{
    glnn_matrix *x, *y;
    GLNN__TRY(sample(s, SOURCE, GLNN_LAYOUT_PACKED, SIDE, SIDE, &x));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_PACKED, REDUCED_SIDE, SIDE, &y));
    for (int interleaved = 0; interleaved < 2; ++interleaved)
        add(s, (glnn__trial){.pass = glnn__reduce_columns_pass(interleaved, x, y)}, false);
    return GLNN_OK;
}

static void take_reductions(const session *s, const glnn__trial *t, glnn__profile *out)
{
    (void)s;
    out->contiguous = elements / t[0].us;
    out->interleaved = elements / t[1].us;
}

/* ---- Matrix products */

#define MOST (GLNN__OCCUPANCIES - 1)

/* Products begin this short, and are made longer if they have few fragments. */
#define SHORT_INNER 16
static const int most_inner[GLNN__OCCUPANCIES] = {4096, 4096, 2048, 512, 512};

/* Blocks across and down. */
static const int grids[GLNN__OCCUPANCIES][2] = {{4, 4}, {8, 16}, {16, 64}, {64, 128}, {128, 512}};

/* A product in one piece, by the program of slices if `partial`. It has a constant unit, because a network
 * that is trained first then needs the same program. */
static glnn_status add_product(session *s, glnn_layout layout, int occupancy, int inner,
                               bool partial, glnn__cut cut)
{
    const glnn__layout_info *info = glnn__layout_get(layout);
    const int rows = grids[occupancy][1] * info->block_rows;
    const int columns = grids[occupancy][0] * info->block_columns;
    const bool is_fragment = s->stage == GLNN_STAGE_FRAGMENT;
    glnn_matrix *a, *b, *c;
    GLNN__TRY(sample(s, SOURCE, layout, rows, most_inner[occupancy], &a));
    GLNN__TRY(sample(s, SOURCE, layout, most_inner[occupancy] + 1, columns, &b));
    GLNN__TRY(sample(s, TARGET, layout, rows, columns, &c));
    cut.slices = 1;
    cut.stack = cut.stack > 1 ? cut.stack : 1;
    cut.shares = is_fragment && s->ctx->info.quad_exchange && layout == GLNN_LAYOUT_TILED;
    glnn__trial *t =
        add(s,
            (glnn__trial){
                .product = {.a = a, .b = b, .c = c, .alpha = 1, .augment = true},
                .plan = {.cut = cut, .partial = partial, .block_rows = c->texture->extent.height},
                .most_inner = most_inner[occupancy]},
            cut.stack > 1);
    glnn__trial_product(t, inner);
    return GLNN_OK;
}

static glnn_status add_occupancies(session *s, glnn_layout layout, glnn__cut cut)
{
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        GLNN__TRY(add_product(s, layout, i, SHORT_INNER, false, cut));
    return GLNN_OK;
}

/* Multiply-adds a microsecond. */
static double speed_of(const glnn__trial *t)
{
    return (double)t->product.c->rows * t->product.c->columns * t->plan.inner / t->us;
}

static void take_occupancies(const glnn__trial *t, double speeds[GLNN__OCCUPANCIES])
{
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        speeds[i] = speed_of(&t[i]);
}

/* The ways to read, by a long product: they also differ in their cost before the first step of the inner
 * loop. Long products of the fragment stage mostly have slices, and need the same programs. A software rasteriser computes a
 * small product in one thread, which shows the difference too. */
static glnn_status add_readings(session *s, glnn_layout layout)
{
    const bool partial = s->stage == GLNN_STAGE_FRAGMENT;
    const int occupancy = s->ctx->info.software ? MOST - 2 : MOST;
    const int inner = s->ctx->info.software ? 256 : 512;
    GLNN__TRY(add_product(s, layout, occupancy, inner, false, (glnn__cut){0}));
    GLNN__TRY(add_product(s, layout, occupancy, inner, partial,
                          (glnn__cut){.fetching = GLNN__FETCHING_SAMPLES}));
    if (!glnn__pass_can_split(s->ctx, layout))
        return GLNN_OK;
    return add_product(s, layout, occupancy, inner, partial,
                       (glnn__cut){.fetching = GLNN__FETCHING_SAMPLES, .layered = true});
}

/* The faster kernels for large products. On a software rasteriser, whose fetches are reads of memory,
 * none of them gains. */
static glnn_status add_shared(session *s)
{
    static const glnn__cut stacks = {.stack = GLNN__STACK}, large = {.group = GLNN__LARGE_GROUP},
                           small = {.group = GLNN__SMALL_GROUP};
    if (s->ctx->info.software)
        return GLNN_OK;
    if (s->stage == GLNN_STAGE_FRAGMENT)
        return add_occupancies(s, GLNN_LAYOUT_TILED, stacks);
    GLNN__TRY(add_occupancies(s, GLNN_LAYOUT_TILED, large));
    return add_occupancies(s, GLNN_LAYOUT_TILED, small);
}

/* Of the layout that is the choice. */
static glnn_status add_products(session *s)
{
    const glnn_layout layout = (glnn_layout)s->choice;
    GLNN__TRY(add_occupancies(s, layout, (glnn__cut){0}));
    return add_readings(s, layout);
}

static void take_products(const session *s, const glnn__trial *t, glnn__profile *out)
{
    glnn__products *products = &out->products[GLNN__RENDERED(s->choice)];
    take_occupancies(t, products->speeds);
    t += GLNN__OCCUPANCIES;
    products->sampled = speed_of(&t[1]) / speed_of(&t[0]) * products->speeds[MOST];
}

static glnn_status add_tiled(session *s)
{
    GLNN__TRY(add_products(s));
    return add_shared(s);
}

static void take_shared(const session *s, const glnn__trial *t, glnn__profile *out)
{
    const double *speeds = out->products[GLNN__RENDERED(GLNN_LAYOUT_TILED)].speeds;
    for (int i = 0; i < 2; ++i)
        if (s->ctx->info.software)
            memcpy(out->shared[i], speeds, sizeof out->shared[i]);
        else
            take_occupancies(&t[s->stage == GLNN_STAGE_COMPUTE ? i * GLNN__OCCUPANCIES : 0],
                             out->shared[i]);
}

static void take_tiled(const session *s, const glnn__trial *t, glnn__profile *out)
{
    const glnn__products *products = &out->products[GLNN__RENDERED(GLNN_LAYOUT_TILED)];
    take_products(s, t, out);
    t += GLNN__OCCUPANCIES;
    out->layered = products->sampled;
    if (glnn__pass_can_split(s->ctx, GLNN_LAYOUT_TILED))
        out->layered = speed_of(&t[2]) / speed_of(&t[0]) * products->speeds[MOST];
    take_shared(s, t + 2 + glnn__pass_can_split(s->ctx, GLNN_LAYOUT_TILED), out);
}

/* ---- Layouts of products by work groups */

#define FORM_SIDE 512

static glnn_status add_form(session *s, glnn_layout layout, glnn__form form)
{
    glnn_matrix *x, *c;
    GLNN__TRY(sample(s, SOURCE, layout, FORM_SIDE, FORM_SIDE, &x));
    GLNN__TRY(sample(s, TARGET, layout, FORM_SIDE, FORM_SIDE, &c));
    glnn__trial *t =
        add(s,
            (glnn__trial){.product = {.a = x,
                                      .b = x,
                                      .c = c,
                                      .alpha = 1,
                                      .transpose_a = form == GLNN__FORM_TN,
                                      .transpose_b = form == GLNN__FORM_NT},
                          .plan = {.cut = {.slices = 1, .stack = 1, .group = GLNN__LARGE_GROUP},
                                   .block_rows = c->texture->extent.height},
                          .most_inner = FORM_SIDE},
            true);
    glnn__trial_product(t, SHORT_INNER);
    return GLNN_OK;
}

static glnn_status add_layouts(session *s)
{
    for (int form = 0; form < GLNN__FORMS; ++form) {
        GLNN__TRY(add_form(s, GLNN_LAYOUT_TILED, (glnn__form)form));
        GLNN__TRY(add_form(s, GLNN_LAYOUT_PACKED, (glnn__form)form));
    }
    return GLNN_OK;
}

static void take_layouts(const session *s, const glnn__trial *t, glnn__profile *out)
{
    (void)s;
    for (int form = 0; form < GLNN__FORMS; ++form) {
        out->tiled[form] = speed_of(&t[2 * form]);
        out->packed[form] = speed_of(&t[2 * form + 1]);
    }
}

/* ---- Sessions */

/* How a group is measured: adding its trials, and computing its numbers from their times. */
typedef struct method {
    glnn_status (*add)(session *s);
    void (*take)(const session *s, const glnn__trial *trials, glnn__profile *out);
    int choice; /* of writing: whether images are written; of products: the layout */
} method;

static const method methods[GLNN__PROFILE_GROUPS] = {
    {add_writing, take_writing, false},
    {add_writing, take_writing, true},
    {add_blending, take_blending, 0},
    {add_limits, take_limits, 0},
    {add_tiled, take_tiled, GLNN_LAYOUT_TILED},
    {add_products, take_products, GLNN_LAYOUT_PACKED},
    {add_products, take_products, GLNN_LAYOUT_UNPACKED},
    {add_reductions, take_reductions, 0},
    {add_layouts, take_layouts, 0},
};

static glnn_status run(session *s, unsigned groups, const glnn__stopwatch *watch,
                       glnn__profile *out)
{
    int first[GLNN__PROFILE_GROUPS];
    for (int g = 0; g < GLNN__PROFILE_GROUPS; ++g) {
        first[g] = s->trial_count;
        s->choice = methods[g].choice;
        if (groups >> g & 1)
            GLNN__TRY(methods[g].add(s));
    }
    GLNN__TRY(glnn__trials_run(s->ctx, watch, s->trials, s->trial_count));
    for (int g = 0; g < GLNN__PROFILE_GROUPS; ++g) {
        s->choice = methods[g].choice;
        if (groups >> g & 1)
            methods[g].take(s, &s->trials[first[g]], out);
    }
    return GLNN_OK;
}

glnn_status glnn__measure_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                  const glnn__stopwatch *watch, glnn__profile *out)
{
    session *s = calloc(1, sizeof *s);
    if (!s)
        return glnn__fail(GLNN_E_NOMEM, "no memory to measure the device");
    s->ctx = ctx;
    s->stage = stage;
    s->targets = (glnn__way){stage, GLNN_WRITES_TARGETS};
    s->images = (glnn__way){stage, GLNN_WRITES_IMAGES};
    const bool announces = ctx->announces;
    ctx->announces = false;
    const glnn_status status = run(s, groups, watch, out);
    ctx->announces = announces;
    for (int i = 0; i < s->sample_count; ++i)
        glnn_matrix_destroy(s->samples[i]);
    free(s);
    return status;
}
