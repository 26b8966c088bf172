#include <glnn/advise.h>

#include "base/status.h"
#include "device/cpu_speed.h"
#include "device/profiler.h"
#include "ops/gemm/plan.h"

#include <math.h>

/* Outputs of the network of NETWORK_STEP, and its passes other than products: gather, metrics and the
 * gradient at the outputs. */
#define STEP_OUTPUTS 10
#define STEP_PASSES  3

const char *glnn_task_name(glnn_task task)
{
    static const char *const names[GLNN_TASK_COUNT] = {"gemm", "map", "transpose", "reduce",
                                                       "network step"};
    return (unsigned)task < GLNN_TASK_COUNT ? names[task] : "unknown task";
}

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
    return glnn__cpu_speed(ctx, &out->cpu_gflops, &out->cpu_gb);
}

glnn_status glnn_context_get_profile(glnn_context *ctx, glnn_profile *out)
{
    if (!ctx || !out)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, get_profile(ctx, out));
}

static glnn_status check_desc(const glnn_advise_desc *desc)
{
    if ((unsigned)desc->task >= GLNN_TASK_COUNT)
        return glnn__fail(GLNN_E_ARG, "glnn_advise: there is no task %d", (int)desc->task);
    const bool has_inner = desc->task == GLNN_TASK_GEMM || desc->task == GLNN_TASK_NETWORK_STEP;
    if (desc->rows < 1 || desc->columns < 1 || (has_inner && desc->inner < 1))
        return glnn__fail(GLNN_E_ARG,
                          "glnn_advise: %s of %d x %d, inner %d: all must be at least 1",
                          glnn_task_name(desc->task), desc->rows, desc->columns, desc->inner);
    if (!(desc->cpu_gflops >= 0) || !(desc->cpu_gb >= 0))
        return glnn__fail(GLNN_E_ARG,
                          "glnn_advise: speeds of %g GFLOP/s and %g GB/s; neither may "
                          "be negative",
                          desc->cpu_gflops, desc->cpu_gb);
    return GLNN_OK;
}

/* Sizes as doubles: a factor takes them far beyond what fits. */
typedef struct task {
    glnn_task kind;
    bool transfers;
    double rows, columns, inner;
} task;

/* The products of a task, and how many there are. */
static int list_products(const task *t, double out[5][3])
{
    const double samples = t->rows, inputs = t->columns, hidden = t->inner;
    const double products[5][3] = {
        {samples, hidden, inputs},       {samples, STEP_OUTPUTS, hidden},
        {samples, hidden, STEP_OUTPUTS}, {hidden, STEP_OUTPUTS, samples},
        {inputs, hidden, samples},
    };
    if (t->kind == GLNN_TASK_GEMM) {
        out[0][0] = t->rows;
        out[0][1] = t->columns;
        out[0][2] = t->inner;
        return 1;
    }
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 3; ++j)
            out[i][j] = products[i][j];
    return t->kind == GLNN_TASK_NETWORK_STEP ? 5 : 0;
}

/* Bytes that a task without products reads and writes in main memory. */
static double bytes_moved(const task *t)
{
    const double elements = t->rows * t->columns;
    return (double)sizeof(float) * (t->kind == GLNN_TASK_REDUCE ? elements : 2 * elements);
}

static double bytes_transferred(const task *t)
{
    const double result = t->kind == GLNN_TASK_REDUCE ? 1 : t->rows * t->columns;
    if (t->kind == GLNN_TASK_GEMM)
        return sizeof(float) * (t->rows * t->inner + t->inner * t->columns + result);
    if (t->kind == GLNN_TASK_NETWORK_STEP)
        return sizeof(float) * t->rows * t->columns; /* the samples; weights stay */
    return sizeof(float) * (t->rows * t->columns + result);
}

static glnn_status expect_gpu(glnn_context *ctx, const glnn__profile *f, const task *t,
                              double transfer_gb, double *us)
{
    double products[5][3];
    const int count = list_products(t, products);
    const glnn__writing *writing = glnn__profile_writing(f);
    const bool can_stack = ctx->info.stage == GLNN_STAGE_FRAGMENT && writing == &f->images;
    *us = t->kind == GLNN_TASK_NETWORK_STEP ? STEP_PASSES * writing->pass_us : 0;
    for (int i = 0; i < count; ++i) {
        const glnn__shape shape = {GLNN_LAYOUT_TILED, (int)products[i][0], (int)products[i][1],
                                   (int)products[i][2]};
        glnn__plan cut;
        GLNN__TRY(glnn__cost_choose(ctx, &shape, can_stack, &cut));
        *us += glnn__cost_time(f, &shape, &cut);
    }
    if (count == 0)
        *us += (t->kind == GLNN_TASK_REDUCE ? 3 : 1) * writing->pass_us +
               bytes_moved(t) / writing->copied;
    if (t->transfers)
        *us += 1e-3 * bytes_transferred(t) / transfer_gb;
    return GLNN_OK;
}

static double expect_cpu(const task *t, double gflops, double gb)
{
    double products[5][3], multiply_adds = 0;
    const int count = list_products(t, products);
    for (int i = 0; i < count; ++i)
        multiply_adds += products[i][0] * products[i][1] * products[i][2];
    return count > 0 ? 2e-3 * multiply_adds / gflops : 1e-3 * bytes_moved(t) / gb;
}

static glnn_status advise(glnn_context *ctx, const glnn_advise_desc *desc, glnn_advice *out)
{
    const glnn__profile *f;
    double cpu_gflops, cpu_gb;
    GLNN__TRY(glnn__profiler_measured(ctx, ctx->info.stage,
                                      GLNN__PROFILE_WRITING | GLNN__PROFILE_TILED, &f));
    GLNN__TRY(glnn__cpu_speed(ctx, &cpu_gflops, &cpu_gb));
    const double gflops = desc->cpu_gflops > 0 ? desc->cpu_gflops : cpu_gflops;
    const double gb = desc->cpu_gb > 0 ? desc->cpu_gb : cpu_gb;
    const double limit = ctx->info.max_texture_size;
    *out = (glnn_advice){0};
    for (int factor = 1; out->from_factor == 0; factor *= 2) {
        const task t = {desc->task, desc->transfers, (double)desc->rows * factor,
                        (double)desc->columns * factor, (double)desc->inner * factor};
        double gpu_us;
        if (factor > 1 && fmax(t.rows, fmax(t.columns, t.inner)) > limit)
            break;
        /* A transfer is no faster than main memory. */
        GLNN__TRY(expect_gpu(ctx, f, &t, cpu_gb, &gpu_us));
        const double cpu_us = expect_cpu(&t, gflops, gb);
        if (factor == 1)
            *out = (glnn_advice){.gpu_us = gpu_us, .cpu_us = cpu_us, .use_gpu = gpu_us < cpu_us};
        if (gpu_us < cpu_us)
            out->from_factor = factor;
    }
    return GLNN_OK;
}

glnn_status glnn_advise(glnn_context *ctx, const glnn_advise_desc *desc, glnn_advice *out)
{
    if (!ctx || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(check_desc(desc));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, advise(ctx, desc, out));
}
