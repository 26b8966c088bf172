#include "device/advice.h"

#include "base/clock.h"
#include "base/names.h"
#include "base/sized.h"
#include "base/status.h"
#include "device/profiler.h"
#include "gl/gl.h"
#include "gl/lifetime.h"
#include "ops/gemm/plan.h"
#include "pass/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The speed of the processor */

enum { SIDE = 192, COPIED = 1 << 21, RUNS = 5 };

/* Volatile, so that the compiler does not know the sizes, as in a program that reads its input. */
static volatile int side = SIDE;

/* Compilers vectorise this order of loops. */
static void multiply(int rows, int inner, int columns, const float *a, const float *b, float *c)
{
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < inner; ++k)
            for (int j = 0; j < columns; ++j)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
}

static void measure(float *x, float *y, double *gflops, double *gb)
{
    double product = INFINITY, copy = INFINITY;
    for (int run = 0; run < RUNS; ++run) {
        double start = glnn__clock_seconds();
        multiply(side, side, side, x, x + SIDE * SIDE, y);
        product = fmin(product, glnn__clock_seconds() - start);
        start = glnn__clock_seconds();
        memcpy(y, x, COPIED * sizeof *x);
        copy = fmin(copy, glnn__clock_seconds() - start);
        x[run] = y[run + 1]; /* used, so that the copy is not optimised away */
    }
    *gflops = 2e-9 * SIDE * SIDE * SIDE / fmax(product, 1e-9);
    *gb = 2e-9 * COPIED * sizeof *x / fmax(copy, 1e-9);
}

/* GFLOP/s of a matrix product and GB/s of a copy, one thread; measured once and stored with the
 * device profile. */
static glnn_status cpu_speed(glnn_context *ctx, double *gflops, double *gb)
{
    static const char key[] = "plain C on the CPU";
    glnn__programs *programs;
    double speeds[2];
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    if (!glnn__tuning_read(ctx, &programs->tuning, key, speeds, 2)) {
        float *x = calloc(COPIED, sizeof *x), *y = calloc(COPIED, sizeof *y);
        const bool has_memory = x && y;
        if (has_memory) {
            measure(x, y, &speeds[0], &speeds[1]);
            glnn__tuning_write(ctx, &programs->tuning, key, speeds, 2);
        }
        free(x);
        free(y);
        if (!has_memory)
            return glnn__fail(GLNN_E_NOMEM, "no memory to measure the CPU");
    }
    *gflops = speeds[0];
    *gb = speeds[1];
    return GLNN_OK;
}

/* ---- The advice */

/* Outputs of the network of NETWORK_STEP, and its passes other than products: gather, metrics and
 * the gradient at the outputs. */
#define STEP_OUTPUTS 10
#define STEP_PASSES  3

static const char *const task_names[GLNN_TASK_COUNT] = {
    [GLNN_TASK_GEMM] = "gemm",
    [GLNN_TASK_MAP] = "map",
    [GLNN_TASK_TRANSPOSE] = "transpose",
    [GLNN_TASK_REDUCE] = "reduce",
    [GLNN_TASK_NETWORK_STEP] = "network_step",
};

GLNN__DEFINE_NAMES(glnn_task, task_names)

static glnn_status get_profile(glnn_context *ctx, glnn_profile *out)
{
    const glnn__profile *f;
    GLNN__TRY(glnn__profiler_measured(ctx, ctx->info.stage,
                                      GLNN__PROFILE_WRITING | GLNN__PROFILE_BLENDING |
                                          GLNN__PROFILE_LIMITS | GLNN__PROFILE_TILED,
                                      &f));
    const glnn__writing *writing = glnn__profile_writing(f);
    const glnn__products *products = &f->products[GLNN__RENDERED(GLNN_LAYOUT_TILED)];
    *out = (glnn_profile){
        .peak_gflops = 2e-3 * f->multiply_adds,
        .fetch_gtexels = 1e-3 * f->fetches,
        .copy_gb = 1e-3 * writing->copied,
        .image_copy_gb = 1e-3 * f->images.copied,
        .blend_gb = 1e-3 * f->blended,
        .pass_us = writing->pass_us,
        .image_pass_us = f->images.pass_us,
        .gemm_gflops = 2e-3 * fmax(products->speeds[GLNN__OCCUPANCIES - 1],
                                   fmax(f->shared[0][GLNN__OCCUPANCIES - 1], products->sampled)),
        .fragments_to_fill = glnn__profile_fill(f, GLNN_LAYOUT_TILED),
    };
    return cpu_speed(ctx, &out->cpu_gflops, &out->cpu_gb);
}

glnn_status glnn_context_get_profile(glnn_context *ctx, glnn_profile *out)
{
    glnn_profile profile;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_profile, cpu_gb, out));
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, get_profile(ctx, &profile)));
    glnn__sized_fill(out, &profile, sizeof profile);
    return GLNN_OK;
}

static bool is_speed(double number)
{
    return number >= 0 && isfinite(number);
}

static glnn_status check_desc(const glnn_advice_desc *desc)
{
    static const char what[] = "glnn_context_get_advice";
    GLNN__TRY(glnn__fail_in(what, GLNN__RESERVED_CHECK(glnn_advice_desc, desc)));
    if ((unsigned)desc->task >= GLNN_TASK_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: task is %d, which is not in the enumeration", what,
                          (int)desc->task);
    const bool has_inner = desc->task == GLNN_TASK_GEMM || desc->task == GLNN_TASK_NETWORK_STEP;
    if (desc->rows < 1 || desc->columns < 1 || (has_inner && desc->inner < 1))
        return glnn__fail(GLNN_E_ARG,
                          "%s: the task %s has rows %d, columns %d and inner %d; each must be at "
                          "least 1",
                          what, glnn_task_name(desc->task), desc->rows, desc->columns, desc->inner);
    if (!is_speed(desc->cpu_gflops) || !is_speed(desc->cpu_gb))
        return glnn__fail(GLNN_E_ARG,
                          "%s: cpu_gflops is %g and cpu_gb is %g; both must be finite and not "
                          "negative",
                          what, desc->cpu_gflops, desc->cpu_gb);
    return GLNN_OK;
}

static glnn__task_work work_of(const glnn_advice_desc *t)
{
    const int rows = t->rows, columns = t->columns, inner = t->inner;
    const double bytes = sizeof(float) * (double)rows * columns;
    switch (t->task) {
    case GLNN_TASK_GEMM:
        return (glnn__task_work){.products = {{rows, columns, inner, false, false}},
                                 .product_count = 1,
                                 .transferred =
                                     sizeof(float) * ((double)rows + columns) * inner + bytes};
    case GLNN_TASK_NETWORK_STEP:
        return (glnn__task_work){.products = {{rows, inner, columns, false, false},
                                              {rows, STEP_OUTPUTS, inner, false, false},
                                              {rows, inner, STEP_OUTPUTS, false, false},
                                              {inner, STEP_OUTPUTS, rows, false, false},
                                              {columns, inner, rows, false, false}},
                                 .product_count = 5,
                                 .passes = STEP_PASSES,
                                 .transferred = bytes};
    case GLNN_TASK_REDUCE:
        return (glnn__task_work){.passes = 3,
                                 .rows = rows,
                                 .columns = columns,
                                 .moved = bytes,
                                 .transferred = bytes + sizeof(float)};
    default:
        return (glnn__task_work){.passes = 1,
                                 .rows = rows,
                                 .columns = columns,
                                 .moved = 2 * bytes,
                                 .transferred = 2 * bytes};
    }
}

/* All sizes are multiplied by a factor. False: one of them then exceeds `limit`. */
static bool scale(const glnn__task_work *work, int factor, int limit, glnn__task_work *out)
{
    int64_t greatest = work->rows > work->columns ? work->rows : work->columns;
    *out = *work;
    for (int i = 0; i < work->product_count; ++i) {
        const glnn__layout_use *p = &work->products[i];
        const int sizes[] = {p->rows, p->columns, p->inner};
        for (int s = 0; s < 3; ++s)
            greatest = sizes[s] > greatest ? sizes[s] : greatest;
    }
    if (factor > 1 && greatest * factor > limit)
        return false;
    for (int i = 0; i < work->product_count; ++i) {
        out->products[i].rows *= factor;
        out->products[i].columns *= factor;
        out->products[i].inner *= factor;
    }
    out->moved *= (double)factor * factor;
    out->transferred *= (double)factor * factor;
    return true;
}

static glnn_status expect_gpu(glnn_context *ctx, const glnn__profile *f, const glnn__task_work *w,
                              bool transfers, double transfer_gb, double *us)
{
    const glnn__writing *writing = glnn__profile_writing(f);
    const bool can_stack = ctx->info.stage == GLNN_STAGE_FRAGMENT && writing == &f->images;
    *us = w->passes * writing->pass_us + w->moved / writing->copied;
    for (int i = 0; i < w->product_count; ++i) {
        const glnn__product product = {.layout = GLNN_LAYOUT_TILED,
                                       .rows = w->products[i].rows,
                                       .columns = w->products[i].columns,
                                       .inner = w->products[i].inner,
                                       .can_stack = can_stack};
        glnn__plan cut;
        GLNN__TRY(glnn__cost_choose(ctx, &product, &cut));
        *us += glnn__cost_time(ctx, f, &product, &cut);
    }
    if (transfers)
        *us += 1e-3 * w->transferred / transfer_gb;
    return GLNN_OK;
}

static double expect_cpu(const glnn__task_work *w, double gflops, double gb)
{
    double us = 1e-3 * w->moved / gb;
    for (int i = 0; i < w->product_count; ++i)
        us += 2e-3 * w->products[i].rows * w->products[i].columns * w->products[i].inner / gflops;
    return us;
}

#define GROUPS (GLNN__PROFILE_WRITING | GLNN__PROFILE_TILED)

glnn_status glnn__advise(glnn_context *ctx, const glnn__task_work *work,
                         const glnn_advice_desc *desc, bool may_measure, glnn_advice *out)
{
    const glnn__profile *f;
    double cpu_gflops, cpu_gb;
    bool is_known;
    GLNN__TRY(glnn__profiler_knows(ctx, ctx->info.stage, GROUPS, &is_known));
    if (!is_known && !may_measure)
        return glnn__fail(GLNN_E_STATE, "the device profile is not known yet");
    GLNN__TRY(glnn__profiler_measured(ctx, ctx->info.stage, GROUPS, &f));
    GLNN__TRY(cpu_speed(ctx, &cpu_gflops, &cpu_gb));
    const double gflops = desc->cpu_gflops > 0 ? desc->cpu_gflops : cpu_gflops;
    const double gb = desc->cpu_gb > 0 ? desc->cpu_gb : cpu_gb;
    glnn__task_work w;
    *out = (glnn_advice){0};
    for (int factor = 1; out->from_factor == 0; factor *= 2) {
        double gpu_us;
        if (!scale(work, factor, ctx->info.max_texture_size, &w))
            break;
        /* A transfer is at most as fast as a copy in main memory. */
        GLNN__TRY(expect_gpu(ctx, f, &w, desc->transfers, cpu_gb, &gpu_us));
        const double cpu_us = expect_cpu(&w, gflops, gb);
        if (factor == 1)
            *out = (glnn_advice){.gpu_us = gpu_us, .cpu_us = cpu_us, .use_gpu = gpu_us < cpu_us};
        if (gpu_us < cpu_us)
            out->from_factor = factor;
    }
    return GLNN_OK;
}

glnn_status glnn_context_get_advice(glnn_context *ctx, const glnn_advice_desc *desc,
                                    glnn_advice *out)
{
    glnn_advice advice;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_advice, from_factor, out));
    GLNN__TRY(check_desc(desc));
    const glnn__task_work work = work_of(desc);
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__advise(ctx, &work, desc, true, &advice)));
    glnn__sized_fill(out, &advice, sizeof advice);
    return GLNN_OK;
}
