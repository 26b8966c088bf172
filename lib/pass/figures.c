#include "pass/figures.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/tuning_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A middling GPU, or a fast one whose graphics run on a part of it. */
static const glnn__figures middling[GLNN_STAGE_AUTO] = {
    [GLNN_STAGE_FRAGMENT] = {.targets = {8, 100e3},
                             .images = {8, 100e3},
                             .blended = 100e3,
                             .multiply_adds = 800e3,
                             .fetches = 30e3,
                             .products = {{1e3, 8e3, 64e3, 300e3, 330e3},
                                          {130, 1e3, 8e3, 40e3, 60e3},
                                          {40, 300, 2.4e3, 15e3, 30e3}},
                             .shared = {{1e3, 8e3, 64e3, 300e3, 330e3},
                                        {1e3, 8e3, 64e3, 300e3, 330e3}}},
    [GLNN_STAGE_COMPUTE] = {.targets = {8, 200e3},
                            .images = {8, 200e3},
                            .blended = 200e3,
                            .multiply_adds = 2e6,
                            .fetches = 100e3,
                            .products = {{1e3, 8e3, 64e3, 500e3, 1e6},
                                         {130, 1e3, 8e3, 64e3, 200e3},
                                         {40, 300, 2.4e3, 20e3, 80e3}},
                            .shared = {{2e3, 16e3, 120e3, 1e6, 4e6},
                                       {4e3, 32e3, 240e3, 1.5e6, 3e6}}},
};

/* ---- Measuring */

/* Matrices for one pass, zero. */
typedef struct sample {
    glnn_matrix *m[3];
} sample;

static void destroy_sample(sample *s)
{
    for (int i = 0; i < 3; ++i)
        glnn_matrix_destroy(s->m[i]);
}

static glnn_status create_sample(glnn_context *ctx, glnn_layout layout, const int shapes[3][2],
                                 sample *out)
{
    *out = (sample){{NULL}};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        status = glnn_matrix_create(ctx,
                                    &(glnn_matrix_desc){.rows = shapes[i][0],
                                                        .columns = shapes[i][1],
                                                        .layout = layout,
                                                        .name = "speed sample"},
                                    &out->m[i]);
    if (status)
        destroy_sample(out);
    return status;
}

/* The least of some runs counts: what disturbs one makes it longer. Long ones are disturbed less. */
#define RUNS        3
#define LONG_RUN_US 75e3

static glnn_status time_runs(glnn_context *ctx, const glnn__pass *pass, double *us)
{
    *us = INFINITY;
    for (int i = 0; i < RUNS && !(i > 0 && *us > LONG_RUN_US); ++i) {
        const double start = glnn__clock_seconds();
        GLNN__TRY(glnn__pass_run(ctx, pass));
        glnn__gl_wait(ctx);
        *us = fmin(*us, 1e6 * (glnn__clock_seconds() - start));
    }
    return GLNN_OK;
}

/* What giving an order and waiting for it takes counts for nothing: that is what a pass over one
 * block takes. */
static glnn_status time_pass(glnn_context *ctx, const glnn__pass *pass, double *us)
{
    const glnn__blocks one = {0, 0, 1, 1};
    const glnn__pass empty = {.kernel = GLNN__KERNEL_FILL, .output = pass->output, .region = one};
    glnn__pass first = *pass; /* compiles */
    double empty_us;
    first.region = one;
    GLNN__TRY(glnn__pass_run(ctx, &first));
    GLNN__TRY(time_runs(ctx, &empty, &empty_us));
    GLNN__TRY(time_runs(ctx, pass, us));
    *us = fmax(fmax(*us - empty_us, 0.1 * *us), 1e-2);
    return GLNN_OK;
}

/* Long enough for the clock where there are few fragments, short where there are many. */
static const int inner_of[GLNN__OCCUPANCIES] = {4096, 4096, 2048, 512, 512};

/* Blocks across and down. */
static const int grids[GLNN__OCCUPANCIES][2] = {{4, 4}, {8, 16}, {16, 64}, {64, 128}, {128, 512}};

/* How a sample product is made. */
typedef struct way {
    glnn__fetching fetching;
    int group; /* elements along a side of a work group that shares what it reads; 0: the kernel
                  without */
    int stack; /* blocks of a fragment */
    bool layered;
} way;

static glnn_status measure_product(glnn_context *ctx, glnn_layout layout, int occupancy, way how,
                                   double *products)
{
    const glnn__layout_info *info = glnn__layout_get(layout);
    const int rows = grids[occupancy][1] * info->block_rows;
    const int columns = grids[occupancy][0] * info->block_columns;
    const int inner = inner_of[occupancy];
    sample s;
    double us = 0;
    GLNN__TRY(create_sample(
        ctx, layout, (const int[3][2]){{rows, inner}, {inner, columns}, {rows, columns}}, &s));
    glnn_status status =
        time_pass(ctx,
                  &(glnn__pass){
                      .kernel = how.group > 0 ? GLNN__KERNEL_GEMM_SHARED : GLNN__KERNEL_GEMM,
                      .operands = {{.matrix = s.m[0]}, {.matrix = s.m[1]}},
                      .output = s.m[2],
                      .scalars = {1},
                      .integers = {0, inner, inner, 1},
                      .fetching = how.fetching,
                      .stack = how.stack,
                      .layered = {how.layered, how.layered},
                      .shares = glnn__pass_can_share(ctx, layout),
                      .group_side = how.group,
                  },
                  &us);
    *products = (double)rows * columns * inner / us;
    destroy_sample(&s);
    return status;
}

/* Sides of the matrix that is copied, and turns of the probes. */
#define SIDE  1024
#define TURNS 64

static glnn_status measure_limits(glnn_context *ctx, const sample *s, glnn__figures *out)
{
    const double elements = (double)SIDE * SIDE, texels = elements / 4;
    double us = 0;
    glnn__pass pass;
    /* A fill blends without a fetch: all that it moves is blended. */
    const glnn_writes former = ctx->info.writes;
    ctx->info.writes = GLNN_WRITES_TARGETS;
    const glnn_status status = time_pass(ctx,
                                         &(glnn__pass){.kernel = GLNN__KERNEL_FILL,
                                                       .output = s->m[2],
                                                       .blend = true,
                                                       .blend_factor = 0.5f,
                                                       .blend_in_place = true},
                                         &us);
    ctx->info.writes = former;
    GLNN__TRY(status);
    out->blended = 2 * sizeof(float) * elements / us;
    pass = (glnn__pass){.kernel = GLNN__KERNEL_PROBE,
                        .operands = {{.matrix = s->m[0]}},
                        .output = s->m[2],
                        .scalars = {0.5f},
                        .integers = {TURNS}};
    GLNN__TRY(time_pass(ctx, &pass, &us));
    out->multiply_adds = 4 * TURNS * elements / us;
    pass.options[0] = 1;
    GLNN__TRY(time_pass(ctx, &pass, &us));
    out->fetches = TURNS * texels / us;
    return GLNN_OK;
}

/* Small passes, each of which needs the one before it. */
static glnn_status measure_chain(glnn_context *ctx, const sample *s, double *pass_us)
{
    enum { CHAIN = 64 };
    *pass_us = INFINITY;
    for (int run = 0; run <= RUNS; ++run) {
        const double start = glnn__clock_seconds();
        for (int i = 0; i < CHAIN; ++i)
            GLNN__TRY(glnn__pass_run(ctx, &(glnn__pass){.kernel = GLNN__KERNEL_COPY,
                                                        .operands = {{.matrix = s->m[i & 1]}},
                                                        .output = s->m[~i & 1]}));
        glnn__gl_wait(ctx);
        *pass_us = fmin(*pass_us, 1e6 * (glnn__clock_seconds() - start) / CHAIN);
    }
    return GLNN_OK;
}

static glnn_status measure_writing(glnn_context *ctx, const sample *large, const sample *small,
                                   glnn_writes writes, glnn__writing *out)
{
    const glnn_writes former = ctx->info.writes;
    const glnn__pass copy = {
        .kernel = GLNN__KERNEL_COPY, .operands = {{.matrix = large->m[0]}}, .output = large->m[2]};
    double us = 0;
    ctx->info.writes = writes;
    glnn_status status = time_pass(ctx, &copy, &us);
    if (!status)
        status = measure_chain(ctx, small, &out->pass_us);
    ctx->info.writes = former;
    out->copied = 2.0 * sizeof(float) * SIDE * SIDE / us;
    return status;
}

/* What does not depend on products; with it, the passes of products are written as they will be. */
static glnn_status measure_passes(glnn_context *ctx, glnn__figures *out)
{
    sample large, small = {{NULL}};
    GLNN__TRY(create_sample(ctx, GLNN_LAYOUT_TILED,
                            (const int[3][2]){{SIDE, SIDE}, {1, 1}, {SIDE, SIDE}}, &large));
    glnn_status status =
        create_sample(ctx, GLNN_LAYOUT_TILED, (const int[3][2]){{8, 8}, {8, 8}, {1, 1}}, &small);
    if (!status)
        status = measure_writing(ctx, &large, &small, GLNN_WRITES_TARGETS, &out->targets);
    if (!status)
        status = measure_writing(ctx, &large, &small, GLNN_WRITES_IMAGES, &out->images);
    if (!status)
        status = measure_limits(ctx, &large, out);
    destroy_sample(&large);
    destroy_sample(&small);
    return status;
}

/* The faster kernels for large products, beside the one that works everywhere. */
static glnn_status measure_shared(glnn_context *ctx, int occupancy, glnn__figures *out)
{
    static const way stacks = {.stack = GLNN__STACK}, large = {.group = GLNN__LARGE_GROUP},
                     small = {.group = GLNN__SMALL_GROUP};
    const bool has_groups = ctx->info.stage == GLNN_STAGE_COMPUTE;
    double *const shared[2] = {&out->shared[0][occupancy], &out->shared[1][occupancy]};
    GLNN__TRY(
        measure_product(ctx, GLNN_LAYOUT_TILED, occupancy, has_groups ? large : stacks, shared[0]));
    *shared[1] = *shared[0];
    return has_groups ? measure_product(ctx, GLNN_LAYOUT_TILED, occupancy, small, shared[1])
                      : GLNN_OK;
}

static glnn_status measure_products(glnn_context *ctx, glnn__figures *out)
{
    glnn_status status = GLNN_OK;
    for (int l = 0; l < GLNN_LAYOUT_PAGED && !status; ++l) {
        for (int i = 0; i < GLNN__OCCUPANCIES && !status; ++i)
            status = measure_product(ctx, (glnn_layout)l, i, (way){0}, &out->products[l][i]);
        if (!status)
            status = measure_product(ctx, (glnn_layout)l, GLNN__OCCUPANCIES - 1,
                                     (way){.fetching = GLNN__FETCHING_SAMPLES}, &out->sampled[l]);
    }
    out->layered[GLNN__FETCHING_TEXELS] = out->products[GLNN_LAYOUT_TILED][GLNN__OCCUPANCIES - 1];
    out->layered[GLNN__FETCHING_SAMPLES] = out->sampled[GLNN_LAYOUT_TILED];
    for (int f = 0; f < GLNN__FETCHING_COUNT && !status; ++f)
        if (glnn__pass_can_split(ctx, GLNN_LAYOUT_TILED))
            status = measure_product(ctx, GLNN_LAYOUT_TILED, GLNN__OCCUPANCIES - 1,
                                     (way){.fetching = (glnn__fetching)f, .layered = true},
                                     &out->layered[f]);
    for (int i = 0; i < GLNN__OCCUPANCIES && !status; ++i)
        status = measure_shared(ctx, i, out);
    return status;
}

/* ---- Keeping */

#define FIGURE_COUNT (sizeof(glnn__figures) / sizeof(double))

/* The figures one behind the other, three digits each: more would only look exact. */
static void write_figures(const glnn__figures *figures, char *text, size_t size)
{
    const double *values = (const double *)figures;
    size_t used = 0;
    for (size_t i = 0; i < FIGURE_COUNT && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%.0f", i ? " " : "", 1e3 * values[i]);
}

static bool read_figures(const char *text, glnn__figures *out)
{
    double *values = (double *)out;
    for (size_t i = 0; i < FIGURE_COUNT; ++i) {
        char *end;
        values[i] = 1e-3 * (double)strtoull(text, &end, 10);
        if (end == text || !(values[i] > 0))
            return false;
        text = end;
    }
    return *text == 0;
}

static void log_figures(const glnn_context *ctx, const glnn__figures *f)
{
    glnn__log(GLNN_LOG_INFO,
              "%s stage: %.3g GFLOP/s of registers alone, %.3g Gtexel/s fetched; by render targets "
              "%.3g us a pass and %.3g GB/s copied, by images %.3g us and %.3g GB/s; %.3g GB/s "
              "blended; %.3g GFLOP/s of tiled inner products, %.3g by the other kernel",
              glnn_stage_name(ctx->info.stage), 2e-3 * f->multiply_adds, 1e-3 * f->fetches,
              f->targets.pass_us, 1e-3 * f->targets.copied, f->images.pass_us,
              1e-3 * f->images.copied, 1e-3 * f->blended,
              2e-3 * f->products[GLNN_LAYOUT_TILED][GLNN__OCCUPANCIES - 1],
              2e-3 * f->shared[0][GLNN__OCCUPANCIES - 1]);
}

#define KEY_TEXT 32

/* What the disk has of the stage's figures, or NULL. */
static const char *find_line(glnn_context *ctx, glnn__programs *programs, char key[KEY_TEXT])
{
    snprintf(key, KEY_TEXT, "%s figures", glnn_stage_name(ctx->info.stage));
    return glnn__tuning_get(ctx, programs, key);
}

/* From the disk or by measuring; kept unless the tuning is off. */
static glnn_status find(glnn_context *ctx, glnn__programs *programs, glnn__figures *out)
{
    char key[KEY_TEXT], text[GLNN__TUNING_TEXT];
    const char *known = find_line(ctx, programs, key);
    if (known && read_figures(known, out))
        return GLNN_OK;
    *out = (glnn__figures){.blended = 0};
    GLNN__TRY(measure_passes(ctx, out));
    GLNN__TRY(measure_products(ctx, out));
    log_figures(ctx, out);
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    write_figures(out, text, sizeof text);
    glnn__figures others;
    if (read_figures(glnn__tuning_put(ctx, programs, key, known, text), &others))
        *out = others;
    return GLNN_OK;
}

glnn_status glnn__figures_measured(glnn_context *ctx, const glnn__figures **out)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    glnn__figures **figures = &programs->figures[ctx->info.stage];
    if (!*figures) {
        *figures = calloc(1, sizeof **figures);
        if (!*figures)
            return glnn__fail(GLNN_E_NOMEM, "no memory for the device's figures");
        const glnn_status status = find(ctx, programs, *figures);
        if (status) {
            free(*figures);
            *figures = NULL;
            *out = &middling[ctx->info.stage];
            /* What leaves no room for measuring is no reason to refuse the operation itself. */
            return status == GLNN_E_LIMIT || status == GLNN_E_NOMEM ? GLNN_OK : status;
        }
    }
    *out = *figures;
    return GLNN_OK;
}

const glnn__figures *glnn__figures_known(glnn_context *ctx)
{
    glnn__programs *programs = ctx->slots[GLNN__SLOT_PROGRAMS].state;
    if (!programs || ctx->info.tuning == GLNN_TUNING_OFF)
        return NULL;
    glnn__figures **figures = &programs->figures[ctx->info.stage];
    if (!*figures && !programs->figures_sought[ctx->info.stage]) {
        char key[KEY_TEXT];
        glnn__figures found;
        const char *line = find_line(ctx, programs, key);
        programs->figures_sought[ctx->info.stage] = true;
        if (line && read_figures(line, &found) && (*figures = malloc(sizeof found)))
            **figures = found;
    }
    /* While the others are measured, those of writing count already. */
    return *figures && (*figures)->images.copied > 0 ? *figures : NULL;
}

const glnn__writing *glnn__figures_writing(const glnn__figures *figures)
{
    return figures->images.pass_us < figures->targets.pass_us ? &figures->images
                                                              : &figures->targets;
}

glnn_status glnn__figures_for_plans(glnn_context *ctx, const glnn__figures **out)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    if (ctx->info.tuning != GLNN_TUNING_OFF && programs->cache_dir)
        return glnn__figures_measured(ctx, out);
    *out = &middling[ctx->info.stage];
    return GLNN_OK;
}

/* A variant that is no faster than this is not worth another program. */
#define WORTH_IT 1.05

glnn_status glnn__figures_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching,
                                   bool *layered)
{
    const glnn__figures *figures;
    *fetching = GLNN__FETCHING_TEXELS;
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    GLNN__TRY(glnn__figures_measured(ctx, &figures));
    double speed = figures->products[layout][GLNN__OCCUPANCIES - 1];
    if (figures->sampled[layout] > WORTH_IT * speed) {
        *fetching = GLNN__FETCHING_SAMPLES;
        speed = figures->sampled[layout];
    }
    for (int f = 0; f < GLNN__FETCHING_COUNT && layered; ++f)
        if (figures->layered[f] > WORTH_IT * speed) {
            *fetching = (glnn__fetching)f;
            *layered = true;
            speed = figures->layered[f];
        }
    return GLNN_OK;
}

/* Eight times the fragments that are so many times as fast found a device that was not full. */
#define WAS_NOT_FULL 2.0

/* Between two measured speeds fragments add their own, as below the first one, until the device is full,
 * which it is at the upper speed; one that was full before gets faster by and by. */
static double speed_of(const double *products, double fragments)
{
    double measured = 16; /* fragments that make products[at] */
    int at = 0;
    for (; at < GLNN__OCCUPANCIES - 1 && fragments >= 8 * measured; ++at)
        measured *= 8;
    if (at == GLNN__OCCUPANCIES - 1)
        return products[at];
    const double more = fmax(fragments, 1) / measured, faster = products[at + 1] / products[at];
    if (more < 1 || faster >= WAS_NOT_FULL)
        return products[at] * fmin(more, fmax(faster, 1));
    return products[at] * pow(faster, log2(more) / 3);
}

double glnn__figures_product(const glnn__figures *figures, glnn_layout layout, double fragments)
{
    return speed_of(figures->products[layout], fragments);
}

double glnn__figures_shared(const glnn__figures *figures, int group, double elements)
{
    const glnn__layout_info *tile = glnn__layout_get(GLNN_LAYOUT_TILED);
    return speed_of(figures->shared[group == GLNN__SMALL_GROUP],
                    elements / (tile->block_rows * tile->block_columns));
}
