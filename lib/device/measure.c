#include "device/measure.h"

#include "base/status.h"
#include "ops/copy.h"
#include "ops/fill.h"
#include "ops/reduce.h"
#include "pass/list.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The rows and columns of the matrix that is copied and reduced, the rows of the reduced matrix,
 * and the turns of the loop in the probes. */
#define SIDE         1024
#define REDUCED_SIDE 32
#define TURNS        64

#define ELEMENTS ((double)SIDE * SIDE)
#define BYTES    (sizeof(float) * ELEMENTS)

#define MOST_SAMPLES 56
#define MOST_TIMINGS 64

/* A session: the timings of all groups that are measured together, and their matrices. */
struct glnn__session {
    glnn_context *ctx;
    glnn_stage stage;
    glnn__way targets, images;
    glnn__profile *out;
    double
        plain[GLNN__RENDERED_LAYOUTS]; /* speeds of products that other ways to read compare with */
    glnn_matrix *samples[MOST_SAMPLES];
    int sample_count;
    unsigned groups; /* that are measured */
    int group;       /* whose timings are added next */
    const glnn__stopwatch *watch;
    glnn__timing timings[MOST_TIMINGS];
    glnn__timings running;
};

typedef struct glnn__session session;

/* Adds a timing that writes to images or render targets and stores its result in *number. */
static glnn__timing *add(session *s, double *number, glnn__timing timing, bool images)
{
    glnn__timing *added = &s->timings[s->running.count++];
    *added = timing;
    added->number = number;
    added->repeats = timing.repeats > 0 ? timing.repeats : 1;
    added->pass.way = images ? &s->images : &s->targets;
    return added;
}

/* Matrices that are read, and those that are written. */
typedef enum role { SOURCE, TARGET } sample_role;

/* Finds or creates a matrix of zeros. Groups share matrices of the same size, layout and role. */
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

static glnn_status add_writing(session *s, int images)
{
    enum { SMALL = 8, CHAIN = 64, COPIES = 16 };
    glnn__writing *writing = images ? &s->out->images : &s->out->targets;
    glnn_matrix *x, *y, *small;
    GLNN__TRY(sample(s, SOURCE, GLNN_LAYOUT_TILED, SIDE, SIDE, &x));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SIDE, SIDE, &y));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SMALL, SMALL, &small));
    /* A GPU copies so fast that one copy would take no longer than it takes to begin. Software
     * leaves out what is overwritten. */
    add(s, &writing->copied,
        (glnn__timing){.pass = glnn__copy_pass(x, y),
                       .repeats = s->ctx->info.software ? 1 : COPIES,
                       .work = 2 * BYTES},
        images);
    add(s, &writing->pass_us,
        (glnn__timing){.pass = glnn__copy_pass(small, small), .repeats = CHAIN}, images);
    return GLNN_OK;
}

/* A fill blends without a fetch, so all its traffic is blending. */
static glnn_status add_blending(session *s, int unused)
{
    glnn_matrix *y;
    (void)unused;
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SIDE, SIDE, &y));
    glnn__timing *t = add(s, &s->out->blended,
                          (glnn__timing){.pass = glnn__fill_pass(0, y), .work = 2 * BYTES}, false);
    t->pass.blend = t->pass.blend_in_place = true;
    t->pass.blend_factor.f = 0.5f;
    return GLNN_OK;
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

static glnn_status add_limits(session *s, int unused)
{
    glnn_matrix *x, *y;
    (void)unused;
    GLNN__TRY(sample(s, SOURCE, GLNN_LAYOUT_TILED, SIDE, SIDE, &x));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_TILED, SIDE, SIDE, &y));
    for (unsigned fetches = 0; fetches < 2; ++fetches)
        add(s, fetches ? &s->out->fetches : &s->out->multiply_adds,
            (glnn__timing){
                .pass = {.kernel = &probe_kernel,
                         .operands = {{.matrix = x}},
                         .output = y,
                         .options = {[PROBE] = fetches},
                         .uniforms = {[PROBE_TURNS] = {.i = TURNS}, [PROBE_FACTOR] = {.f = 0.5f}}},
                .work = fetches ? TURNS * ELEMENTS / 4 : 4 * TURNS * ELEMENTS},
            false);
    return GLNN_OK;
}

static glnn_status add_reductions(session *s, int unused)
{
    glnn_matrix *x, *y;
    (void)unused;
    GLNN__TRY(sample(s, SOURCE, GLNN_LAYOUT_PACKED, SIDE, SIDE, &x));
    GLNN__TRY(sample(s, TARGET, GLNN_LAYOUT_PACKED, REDUCED_SIDE, SIDE, &y));
    for (int interleaved = 0; interleaved < 2; ++interleaved)
        add(s, interleaved ? &s->out->interleaved : &s->out->contiguous,
            (glnn__timing){.pass = glnn__reduce_columns_pass(interleaved, x, y), .work = ELEMENTS},
            false);
    return GLNN_OK;
}

/* ---- Matrix products */

#define MOST (GLNN__OCCUPANCIES - 1)

/* Products begin with this many inner indices, and get more if the time is too short to measure. */
#define SHORT_INNER 16
static const int most_inner[GLNN__OCCUPANCIES] = {4096, 4096, 2048, 512, 512};

/* Blocks across and down a product, for each occupancy. */
static const int grids[GLNN__OCCUPANCIES][2] = {{4, 4}, {8, 16}, {16, 64}, {64, 128}, {128, 512}};

/* Adds a product in one slice, which begins with `inner` inner indices and gets at most `most`. */
static void add_product(session *s, double *number, glnn__product product, glnn__plan plan,
                        int inner, int most)
{
    plan.slices = 1;
    plan.blocking.stack = plan.blocking.stack > 1 ? plan.blocking.stack : 1;
    plan.block_rows = product.c->texture->extent.height;
    product.alpha.f = 1;
    glnn__timing *t = add(s, number,
                          (glnn__timing){.product = product,
                                         .plan = plan,
                                         .most_inner = most,
                                         .work = (double)product.c->rows * product.c->columns},
                          plan.blocking.stack > 1);
    glnn__timing_product(t, inner);
}

/* Adds a product over a grid of blocks. It is augmented, because the training of a network needs
 * the same program, which is then already compiled. */
static glnn_status add_grid(session *s, double *number, glnn_layout layout, int occupancy,
                            int inner, glnn__plan plan)
{
    const glnn__layout_info *info = glnn__layout_in(s->ctx, layout);
    const int rows = grids[occupancy][1] * info->block_rows;
    const int columns = grids[occupancy][0] * info->block_columns;
    const int most = most_inner[occupancy];
    glnn_matrix *a, *b, *c;
    GLNN__TRY(sample(s, SOURCE, layout, rows, most, &a));
    GLNN__TRY(sample(s, SOURCE, layout, most + 1, columns, &b));
    GLNN__TRY(sample(s, TARGET, layout, rows, columns, &c));
    plan.blocking.shares = s->stage == GLNN_STAGE_FRAGMENT && s->ctx->info.quad_exchange &&
                           layout == GLNN_LAYOUT_TILED;
    add_product(s, number, (glnn__product){.a = a, .b = b, .c = c, .augment = true}, plan, inner,
                most);
    return GLNN_OK;
}

static glnn_status add_occupancies(session *s, double speeds[GLNN__OCCUPANCIES], glnn_layout layout,
                                   glnn__plan plan)
{
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        GLNN__TRY(add_grid(s, &speeds[i], layout, i, SHORT_INNER, plan));
    return GLNN_OK;
}

/* Adds the ways to read, measured by a long product: they also differ in their cost before the
 * first step of the inner loop. Long products of the fragment stage mostly have slices, and need
 * the same programs. On a software rasteriser a smaller product shows the difference too. */
static glnn_status add_readings(session *s, glnn_layout layout)
{
    const glnn__plan samples = {.fetching = GLNN__FETCHING_SAMPLES,
                                .partial = s->stage == GLNN_STAGE_FRAGMENT};
    glnn__plan layered = samples;
    const int occupancy = s->ctx->info.software ? MOST - 2 : MOST;
    const int inner = s->ctx->info.software ? 256 : 512;
    const unsigned place = GLNN__RENDERED(layout);
    layered.blocking.layered[0] = layered.blocking.layered[1] = true;
    GLNN__TRY(add_grid(s, &s->plain[place], layout, occupancy, inner, (glnn__plan){0}));
    GLNN__TRY(add_grid(s, &s->out->products[place].sampled, layout, occupancy, inner, samples));
    if (!glnn__pass_can_split(s->ctx, layout))
        return GLNN_OK;
    return add_grid(s, &s->out->layered, layout, occupancy, inner, layered);
}

/* Adds the kernels that share fetches, which are faster for large products. On a software
 * rasteriser they are not, because its fetches are plain reads of memory. */
static glnn_status add_shared(session *s)
{
    static const glnn__plan stacks = {.blocking.stack = GLNN__STACK},
                            large = {.blocking.group_side = GLNN__LARGE_GROUP},
                            small = {.blocking.group_side = GLNN__SMALL_GROUP};
    double(*const speeds)[GLNN__OCCUPANCIES] = s->out->shared;
    if (s->ctx->info.software)
        return GLNN_OK;
    if (s->stage == GLNN_STAGE_FRAGMENT)
        return add_occupancies(s, speeds[0], GLNN_LAYOUT_TILED, stacks);
    GLNN__TRY(add_occupancies(s, speeds[0], GLNN_LAYOUT_TILED, large));
    return add_occupancies(s, speeds[1], GLNN_LAYOUT_TILED, small);
}

static glnn_status add_products(session *s, int layout)
{
    GLNN__TRY(add_occupancies(s, s->out->products[GLNN__RENDERED(layout)].speeds,
                              (glnn_layout)layout, (glnn__plan){0}));
    GLNN__TRY(add_readings(s, (glnn_layout)layout));
    return layout == GLNN_LAYOUT_TILED ? add_shared(s) : GLNN_OK;
}

/* The speed of a way to read is the speed with the most fragments, times the gain of this way. Work
 * groups and stacks that were not measured get the speeds of measured ones. */
static void finish_products(session *s, glnn_layout layout)
{
    const unsigned place = GLNN__RENDERED(layout);
    glnn__profile *out = s->out;
    glnn__products *products = &out->products[place];
    products->sampled = products->sampled / s->plain[place] * products->speeds[MOST];
    if (layout != GLNN_LAYOUT_TILED)
        return;
    out->layered = glnn__pass_can_split(s->ctx, layout)
                       ? out->layered / s->plain[place] * products->speeds[MOST]
                       : products->sampled;
    if (s->ctx->info.software)
        memcpy(out->shared[0], products->speeds, sizeof out->shared[0]);
    if (s->ctx->info.software || s->stage == GLNN_STAGE_FRAGMENT)
        memcpy(out->shared[1], out->shared[0], sizeof out->shared[1]);
}

/* ---- Layouts of products by work groups */

#define FORM_SIDE 512

static glnn_status add_forms(session *s, double speeds[GLNN__FORMS], glnn_layout layout)
{
    glnn_matrix *x, *c;
    GLNN__TRY(sample(s, SOURCE, layout, FORM_SIDE, FORM_SIDE, &x));
    GLNN__TRY(sample(s, TARGET, layout, FORM_SIDE, FORM_SIDE, &c));
    for (int form = 0; form < GLNN__FORMS; ++form)
        add_product(s, &speeds[form],
                    (glnn__product){.a = x,
                                    .b = x,
                                    .c = c,
                                    .transpose_a = form == GLNN__FORM_TN,
                                    .transpose_b = form == GLNN__FORM_NT},
                    (glnn__plan){.blocking.group_side = GLNN__LARGE_GROUP}, SHORT_INNER, FORM_SIDE);
    return GLNN_OK;
}

static glnn_status add_layouts(session *s, int unused)
{
    (void)unused;
    GLNN__TRY(add_forms(s, s->out->tiled, GLNN_LAYOUT_TILED));
    return add_forms(s, s->out->packed, GLNN_LAYOUT_PACKED);
}

/* ---- Sessions */

#define PART(field) offsetof(glnn__profile, field)

const glnn__group_info glnn__profile_groups[GLNN__PROFILE_GROUPS + 1] = {
    {"targets", PART(targets), add_writing, false},
    {"images", PART(images), add_writing, true},
    {"blending", PART(blended), add_blending, 0},
    {"limits", PART(multiply_adds), add_limits, 0},
    {"tiled products", PART(layered), add_products, GLNN_LAYOUT_TILED},
    {"packed products", PART(products[GLNN__RENDERED(GLNN_LAYOUT_PACKED)]), add_products,
     GLNN_LAYOUT_PACKED},
    {"unpacked products", PART(products[GLNN__RENDERED(GLNN_LAYOUT_UNPACKED)]), add_products,
     GLNN_LAYOUT_UNPACKED},
    {"reductions", PART(interleaved), add_reductions, 0},
    {"layouts", PART(tiled), add_layouts, 0},
    {.offset = sizeof(glnn__profile)},
};

static void skip_groups(session *s)
{
    while (s->group < GLNN__PROFILE_GROUPS && !(s->groups >> s->group & 1))
        ++s->group;
}

static glnn_status run_piece(session *s, bool *is_over)
{
    *is_over = false;
    skip_groups(s);
    if (s->group < GLNN__PROFILE_GROUPS) {
        const glnn__group_info *info = &glnn__profile_groups[s->group++];
        s->running.since = s->watch->seconds(s->watch->user);
        return info->add(s, info->choice);
    }
    s->running.all = s->timings;
    GLNN__TRY(glnn__timings_next(s->ctx, s->watch, &s->running, is_over));
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED && *is_over; ++layout)
        if (s->groups & GLNN__PROFILE_PRODUCTS(layout))
            finish_products(s, (glnn_layout)layout);
    return GLNN_OK;
}

glnn_status glnn__session_begin(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                const glnn__stopwatch *watch, glnn__profile *out, session **made)
{
    session *s = calloc(1, sizeof *s);
    *made = s;
    if (!s)
        return glnn__fail(GLNN_E_NOMEM, "no memory to measure the device");
    s->ctx = ctx;
    s->stage = stage;
    s->groups = groups;
    s->watch = watch;
    s->out = out;
    s->targets = (glnn__way){stage, GLNN_WRITES_TARGETS};
    s->images = (glnn__way){stage, GLNN_WRITES_IMAGES};
    return GLNN_OK;
}

glnn_status glnn__session_next(session *s, bool *is_over)
{
    glnn__list *list = glnn__list_pause(s->ctx);
    const glnn_status status = run_piece(s, is_over);
    glnn__list_resume(s->ctx, list);
    return status;
}

double glnn__session_progress(const session *s)
{
    return s->running.all ? glnn__timings_progress(&s->running) : 0;
}

void glnn__session_end(session *s)
{
    for (int i = 0; s && i < s->sample_count; ++i)
        glnn_matrix_destroy(s->samples[i]);
    free(s);
}

glnn_status glnn__measure_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                  const glnn__stopwatch *watch, glnn__profile *out)
{
    session *s;
    glnn_status status = glnn__session_begin(ctx, stage, groups, watch, out, &s);
    for (bool is_over = false; !is_over && !status;)
        status = glnn__session_next(s, &is_over);
    glnn__session_end(s);
    return status;
}
