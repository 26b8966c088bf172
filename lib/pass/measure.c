/* Each figure is that of a pass as operations have it. */
#include "pass/measure.h"

#include "base/status.h"
#include "pass/trial.h"

#include <glnn/reduce.h>

#include <math.h>

extern const glnn__kernel glnn__copy_kernel, glnn__fill_kernel, glnn__reduce_kernel,
    glnn__gemm_kernel, glnn__gemm_shared_kernel;

enum { PROBE };
enum { PROBE_TURNS, PROBE_FACTOR };

static const glnn__kernel probe_kernel = {
    .name = "device/probe",
    .operands = {"X"},
    .unviewed = 1,
    .options = {[PROBE] = "PROBE"},
    .uniforms = {[PROBE_TURNS] = "int turns", [PROBE_FACTOR] = "float factor"},
};

/* A matrix of zeros; NULL is destroyed in any case. */
static glnn_status create_sample(glnn_context *ctx, glnn_layout layout, int rows, int columns,
                                 glnn_matrix **out)
{
    return glnn_matrix_create(
        ctx,
        &(glnn_matrix_desc){
            .rows = rows, .columns = columns, .layout = layout, .name = "speed sample"},
        out);
}

/* Sides of the matrix that is copied and folded, rows that remain of it, and turns of the probes. */
#define SIDE        1024
#define FOLDED_SIDE 32
#define TURNS       64

static const double elements = (double)SIDE * SIDE;

/* Large matrices x and y, and a small one. */
typedef struct samples {
    glnn_matrix *x, *y, *small;
} samples;

/* ---- Writing */

#define SMALL 8
#define CHAIN 64

/* A copy, and small passes each of which needs the one before it. */
static void add_writing(const samples *s, glnn_writes writes, glnn__trial out[2])
{
    out[0] = (glnn__trial){
        .pass = {.kernel = &glnn__copy_kernel, .operands = {{.matrix = s->x}}, .output = s->y},
        .writes = writes};
    out[1] = (glnn__trial){.pass = {.kernel = &glnn__copy_kernel,
                                    .operands = {{.matrix = s->small}},
                                    .output = s->small},
                           .writes = writes,
                           .repeats = CHAIN};
}

static glnn__writing writing_of(const glnn__trial trials[2])
{
    return (glnn__writing){
        .pass_us = trials[1].us,
        .copied = glnn__trial_speed(&trials[0], 2 * sizeof(float) * elements),
    };
}

static glnn_status measure_writing(glnn_context *ctx, const samples *s, glnn__figures *out)
{
    glnn__trial trials[4];
    const bool has_targets = ctx->info.stage == GLNN_STAGE_FRAGMENT;
    add_writing(s, GLNN_WRITES_IMAGES, trials);
    add_writing(s, GLNN_WRITES_TARGETS, trials + 2);
    GLNN__TRY(glnn__trials_run(ctx, trials, has_targets ? 4 : 2));
    out->images = writing_of(trials);
    out->targets = has_targets ? writing_of(trials + 2) : out->images;
    return GLNN_OK;
}

/* ---- What does not depend on products */

/* A fill blends without a fetch: all that it moves is blended. */
static glnn_status measure_blending(glnn_context *ctx, const samples *s, glnn__figures *out)
{
    glnn__trial trial = {.pass = {.kernel = &glnn__fill_kernel,
                                  .output = s->y,
                                  .blend = true,
                                  .blend_factor = 0.5f,
                                  .blend_in_place = true},
                         .writes = GLNN_WRITES_TARGETS};
    GLNN__TRY(glnn__trials_run(ctx, &trial, 1));
    out->blended = glnn__trial_speed(&trial, 2 * sizeof(float) * elements);
    return GLNN_OK;
}

static glnn_status measure_limits(glnn_context *ctx, const samples *s, glnn__figures *out)
{
    glnn__trial trials[2];
    for (unsigned fetches = 0; fetches < 2; ++fetches)
        trials[fetches] = (glnn__trial){
            .pass = {.kernel = &probe_kernel,
                     .operands = {{.matrix = s->x}},
                     .output = s->y,
                     .options = {[PROBE] = fetches},
                     .uniforms = {[PROBE_TURNS] = {.i = TURNS}, [PROBE_FACTOR] = {.f = 0.5f}}}};
    GLNN__TRY(glnn__trials_run(ctx, trials, 2));
    out->multiply_adds = glnn__trial_speed(&trials[0], 4 * TURNS * elements);
    out->fetches = glnn__trial_speed(&trials[1], TURNS * elements / 4);
    return GLNN_OK;
}

static glnn_status measure_folding(glnn_context *ctx, const samples *s, glnn__figures *out)
{
    const int run = SIDE / FOLDED_SIDE;
    glnn__trial trials[2];
    for (int combs = 0; combs < 2; ++combs)
        trials[combs] = (glnn__trial){.pass = {.kernel = &glnn__reduce_kernel,
                                               .operands = {{.matrix = s->x}},
                                               .output = s->y,
                                               .options = {GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS},
                                               .uniforms = {{.f = 1},
                                                            {.i = combs ? 1 : run},
                                                            {.i = combs ? FOLDED_SIDE : 1},
                                                            {.i = combs ? SIDE : run},
                                                            {.i = SIDE}}}};
    GLNN__TRY(glnn__trials_run(ctx, trials, 2));
    out->in_runs = glnn__trial_speed(&trials[0], elements);
    out->combed = glnn__trial_speed(&trials[1], elements);
    return GLNN_OK;
}

/* What a group is measured with: the layout of its samples, and the rows of y. */
typedef struct method {
    glnn_layout layout;
    int rows;
    glnn_status (*measure)(glnn_context *ctx, const samples *s, glnn__figures *out);
} method;

static glnn_status measure_by(glnn_context *ctx, const method *m, glnn__figures *out)
{
    samples s = {NULL, NULL, NULL};
    glnn_status status = create_sample(ctx, m->layout, SIDE, SIDE, &s.x);
    if (!status)
        status = create_sample(ctx, m->layout, m->rows, SIDE, &s.y);
    if (!status)
        status = create_sample(ctx, m->layout, SMALL, SMALL, &s.small);
    if (!status)
        status = m->measure(ctx, &s, out);
    glnn_matrix_destroy(s.x);
    glnn_matrix_destroy(s.y);
    glnn_matrix_destroy(s.small);
    return status;
}

/* ---- Products */

#define MOST (GLNN__OCCUPANCIES - 1)

/* Products begin so short, and are made longer where there are few fragments. Ways to read are compared
 * by longer ones. */
#define SHORT_INNER 16
#define LONG_INNER  512
static const int most_inner[GLNN__OCCUPANCIES] = {4096, 4096, 2048, 512, 512};

/* Blocks across and down. */
static const int grids[GLNN__OCCUPANCIES][2] = {{4, 4}, {8, 16}, {16, 64}, {64, 128}, {128, 512}};

/* Factors and product of each occupancy. */
typedef struct factors {
    glnn_layout layout;
    glnn_matrix *a[GLNN__OCCUPANCIES], *b[GLNN__OCCUPANCIES], *c[GLNN__OCCUPANCIES];
} factors;

/* How a sample product is made. */
typedef struct way {
    glnn__fetching fetching;
    int group; /* elements along a side of a work group that shares what it reads; 0: the kernel
                  without */
    int stack; /* blocks of a fragment */
    bool layered;
} way;

static void destroy_factors(factors *f)
{
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i) {
        glnn_matrix_destroy(f->a[i]);
        glnn_matrix_destroy(f->b[i]);
        glnn_matrix_destroy(f->c[i]);
    }
}

static glnn_status create_factors(glnn_context *ctx, factors *f)
{
    const glnn__layout_info *info = glnn__layout_get(f->layout);
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i) {
        const int rows = grids[i][1] * info->block_rows;
        const int columns = grids[i][0] * info->block_columns;
        GLNN__TRY(create_sample(ctx, f->layout, rows, most_inner[i], &f->a[i]));
        GLNN__TRY(create_sample(ctx, f->layout, most_inner[i], columns, &f->b[i]));
        GLNN__TRY(create_sample(ctx, f->layout, rows, columns, &f->c[i]));
    }
    return GLNN_OK;
}

static glnn__trial product_trial(const glnn_context *ctx, const factors *f, int occupancy, way how)
{
    return (glnn__trial){
        .pass = {.kernel = how.group > 0 ? &glnn__gemm_shared_kernel : &glnn__gemm_kernel,
                 .operands = {{.matrix = f->a[occupancy]}, {.matrix = f->b[occupancy]}},
                 .output = f->c[occupancy],
                 .uniforms = {{.i = 0}, {.i = SHORT_INNER}, {.i = SHORT_INNER}, {.i = 1}, {.f = 1}},
                 .fetching = how.fetching,
                 .blocking = {.stack = how.stack,
                              .layered = {how.layered, how.layered},
                              .shares = glnn__pass_can_share(ctx, f->layout),
                              .group_side = how.group}},
        .most_inner = most_inner[occupancy],
    };
}

/* Multiply-adds a microsecond. */
static double product_speed(const glnn__trial *t)
{
    const glnn_matrix *c = t->pass.output;
    return glnn__trial_speed(t, (double)c->rows * c->columns * t->pass.uniforms[1].i);
}

static glnn_status measure_all_occupancies(glnn_context *ctx, const factors *f, way how,
                                           double speeds[GLNN__OCCUPANCIES])
{
    glnn__trial trials[GLNN__OCCUPANCIES];
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        trials[i] = product_trial(ctx, f, i, how);
    GLNN__TRY(glnn__trials_run(ctx, trials, GLNN__OCCUPANCIES));
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        speeds[i] = product_speed(&trials[i]);
    return GLNN_OK;
}

/* How many times as fast products are one way as the other. They are long, because ways to read differ
 * in what they cost before the first step of the inner loop, too. Fewer fragments fill a software
 * rasteriser. */
static glnn_status compare_ways(glnn_context *ctx, const factors *f, way one, way other,
                                double *ratio)
{
    const int occupancy = ctx->info.software ? MOST - 1 : MOST;
    glnn__trial trials[2] = {product_trial(ctx, f, occupancy, one),
                             product_trial(ctx, f, occupancy, other)};
    for (int i = 0; i < 2; ++i)
        trials[i].pass.uniforms[1].i = trials[i].pass.uniforms[2].i = LONG_INNER;
    GLNN__TRY(glnn__trials_run(ctx, trials, 2));
    *ratio = product_speed(&trials[0]) / product_speed(&trials[1]);
    return GLNN_OK;
}

/* With all numbers of fragments, and at sampled coordinates. */
static glnn_status measure_plain(glnn_context *ctx, const factors *f, glnn__products *out)
{
    double ratio;
    GLNN__TRY(measure_all_occupancies(ctx, f, (way){0}, out->speeds));
    GLNN__TRY(compare_ways(ctx, f, (way){.fetching = GLNN__FETCHING_SAMPLES}, (way){0}, &ratio));
    out->sampled = ratio * out->speeds[MOST];
    return GLNN_OK;
}

/* The better way to fetch, layer by layer, against the same way from one texture. */
static glnn_status measure_layered(glnn_context *ctx, const factors *f, glnn__figures *out)
{
    const glnn__products *plain = &out->products[f->layout];
    const bool is_sampled = plain->sampled > plain->speeds[MOST];
    const glnn__fetching fetching = is_sampled ? GLNN__FETCHING_SAMPLES : GLNN__FETCHING_TEXELS;
    double ratio;
    out->layered[GLNN__FETCHING_TEXELS] = plain->speeds[MOST];
    out->layered[GLNN__FETCHING_SAMPLES] = plain->sampled;
    if (!glnn__pass_can_split(ctx, f->layout))
        return GLNN_OK;
    GLNN__TRY(compare_ways(ctx, f, (way){.fetching = fetching, .layered = true},
                           (way){.fetching = fetching}, &ratio));
    out->layered[fetching] *= ratio;
    return GLNN_OK;
}

/* The faster kernels for large products. Stacks are written as images: where these are not worth it,
 * stacks are never made. */
static glnn_status measure_shared(glnn_context *ctx, const factors *f, glnn__figures *out)
{
    static const way stacks = {.stack = GLNN__STACK}, large = {.group = GLNN__LARGE_GROUP},
                     small = {.group = GLNN__SMALL_GROUP};
    if (ctx->info.stage == GLNN_STAGE_COMPUTE) {
        GLNN__TRY(measure_all_occupancies(ctx, f, large, out->shared[0]));
        return measure_all_occupancies(ctx, f, small, out->shared[1]);
    }
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        out->shared[0][i] = out->shared[1][i] = out->products[f->layout].speeds[i];
    if (ctx->info.software || glnn__figures_writing(out) != &out->images)
        return GLNN_OK;
    GLNN__TRY(measure_all_occupancies(ctx, f, stacks, out->shared[0]));
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        out->shared[1][i] = out->shared[0][i];
    return GLNN_OK;
}

static glnn_status measure_products(glnn_context *ctx, glnn_layout layout, glnn__figures *out)
{
    factors f = {.layout = layout};
    glnn_status status = create_factors(ctx, &f);
    if (!status)
        status = measure_plain(ctx, &f, &out->products[layout]);
    if (!status && layout == GLNN_LAYOUT_TILED)
        status = measure_layered(ctx, &f, out);
    if (!status && layout == GLNN_LAYOUT_TILED)
        status = measure_shared(ctx, &f, out);
    destroy_factors(&f);
    return status;
}

glnn_status glnn__measure_figures(glnn_context *ctx, glnn__figures_group group, glnn__figures *out)
{
    static const method writing = {GLNN_LAYOUT_TILED, SIDE, measure_writing},
                        blending = {GLNN_LAYOUT_TILED, SIDE, measure_blending},
                        limits = {GLNN_LAYOUT_TILED, SIDE, measure_limits},
                        folding = {GLNN_LAYOUT_PACKED, FOLDED_SIDE, measure_folding};
    switch (group) {
    case GLNN__FIGURES_WRITING:
        return measure_by(ctx, &writing, out);
    case GLNN__FIGURES_BLENDING:
        return measure_by(ctx, &blending, out);
    case GLNN__FIGURES_LIMITS:
        return measure_by(ctx, &limits, out);
    case GLNN__FIGURES_TILED:
        return measure_products(ctx, GLNN_LAYOUT_TILED, out);
    case GLNN__FIGURES_PACKED:
        return measure_products(ctx, GLNN_LAYOUT_PACKED, out);
    case GLNN__FIGURES_UNPACKED:
        return measure_products(ctx, GLNN_LAYOUT_UNPACKED, out);
    case GLNN__FIGURES_FOLDING:
        break;
    }
    return measure_by(ctx, &folding, out);
}
