/* Each figure is that of a pass as operations have it. */
#include "pass/measure.h"

#include "base/clock.h"
#include "base/status.h"

#include <glnn/reduce.h>

#include <math.h>

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

/* Sides of the matrix that is copied and folded, rows that remain of it, and turns of the probes. */
#define SIDE        1024
#define FOLDED_SIDE 32
#define TURNS       64

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
    enum { CHAIN = 64, CHAINS = 2 };
    *pass_us = INFINITY;
    for (int run = 0; run < CHAINS; ++run) {
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

/* Elements a microsecond. */
static glnn_status measure_fold(glnn_context *ctx, const sample *s, bool combs, double *folded)
{
    const int run = SIDE / FOLDED_SIDE;
    double us = 0;
    const glnn__pass pass = {
        .kernel = GLNN__KERNEL_REDUCE,
        .operands = {{.matrix = s->m[0]}},
        .output = s->m[2],
        .options = {GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS},
        .scalars = {1},
        .integers = {combs ? 1 : run, combs ? FOLDED_SIDE : 1, combs ? SIDE : run, SIDE}};
    GLNN__TRY(time_pass(ctx, &pass, &us));
    *folded = (double)SIDE * SIDE / us;
    return GLNN_OK;
}

/* Behind the products, which have woken up a device that saves power. */
static glnn_status measure_folds(glnn_context *ctx, glnn__figures *out)
{
    sample s;
    GLNN__TRY(create_sample(ctx, GLNN_LAYOUT_PACKED,
                            (const int[3][2]){{SIDE, SIDE}, {1, 1}, {FOLDED_SIDE, SIDE}}, &s));
    glnn_status status = measure_fold(ctx, &s, true, &out->combed);
    if (!status)
        status = measure_fold(ctx, &s, false, &out->in_runs);
    destroy_sample(&s);
    return status;
}

/* What other programs do to the machine changes from one moment to the next, and to mistake the slower
 * way for the faster one is dear: they take turns, and the best of each counts. */
static glnn_status measure_both_ways(glnn_context *ctx, const sample *large, const sample *small,
                                     glnn__figures *out)
{
    enum { TURNS_OF_BOTH = 8 };
    static const glnn_writes ways[2] = {GLNN_WRITES_TARGETS, GLNN_WRITES_IMAGES};
    glnn__writing best[2] = {{INFINITY, 0}, {INFINITY, 0}};
    for (int i = 0; i < TURNS_OF_BOTH; ++i) {
        glnn__writing measured, *b = &best[i & 1];
        GLNN__TRY(measure_writing(ctx, large, small, ways[i & 1], &measured));
        *b = (glnn__writing){fmin(b->pass_us, measured.pass_us), fmax(b->copied, measured.copied)};
    }
    out->targets = best[0];
    out->images = best[1];
    return GLNN_OK;
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
        status = measure_both_ways(ctx, &large, &small, out);
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

glnn_status glnn__measure_figures(glnn_context *ctx, glnn__figures *out)
{
    *out = (glnn__figures){.blended = 0};
    GLNN__TRY(measure_passes(ctx, out));
    GLNN__TRY(measure_products(ctx, out));
    return measure_folds(ctx, out);
}
