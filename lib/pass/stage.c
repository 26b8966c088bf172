#include "pass/stage.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/pass.h"

/* Large enough to fill a device, small enough to take no time on a software rasteriser. */
#define SAMPLE_SIDE 256
#define SAMPLES     3

/* The shortest of a few times: what disturbs a measurement only makes it longer. */
static glnn_status time_stage(glnn_context *ctx, glnn_stage stage, const glnn__pass *pass,
                              double *milliseconds)
{
    const glnn_stage former = ctx->info.stage;
    glnn_status status = GLNN_OK;
    ctx->info.stage = stage;
    for (int i = 0; i <= SAMPLES && !status; ++i) {
        const double start = glnn__clock_seconds();
        status = glnn__pass_run(ctx, pass);
        glnn__gl_wait(ctx);
        const double elapsed = 1e3 * (glnn__clock_seconds() - start);
        if (i <= 1 || elapsed < *milliseconds) /* the first one compiles */
            *milliseconds = elapsed;
    }
    ctx->info.stage = former;
    return status;
}

static glnn_status time_stages(glnn_context *ctx, const glnn_matrix *a, const glnn_matrix *b,
                               glnn_matrix *c, double *fragment_ms, double *compute_ms)
{
    const glnn__pass pass = {
        .kernel = GLNN__KERNEL_GEMM,
        .operands = {{.matrix = a}, {.matrix = b}},
        .output = c,
        .scalars = {1},
        .integers = {0, SAMPLE_SIDE, SAMPLE_SIDE, 1},
    };
    GLNN__TRY(time_stage(ctx, GLNN_STAGE_FRAGMENT, &pass, fragment_ms));
    return time_stage(ctx, GLNN_STAGE_COMPUTE, &pass, compute_ms);
}

glnn_status glnn__stage_compare(glnn_context *ctx, double *fragment_ms, double *compute_ms)
{
    const glnn_matrix_desc desc = {
        .rows = SAMPLE_SIDE, .columns = SAMPLE_SIDE, .name = "stage sample"};
    glnn_matrix *m[3] = {0};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        status = glnn_matrix_create(ctx, &desc, &m[i]);
    if (!status)
        status = time_stages(ctx, m[0], m[1], m[2], fragment_ms, compute_ms);
    for (int i = 0; i < 3; ++i)
        glnn_matrix_destroy(m[i]);
    return status;
}

glnn_status glnn__stage_resolve(glnn_context *ctx)
{
    if (ctx->info.stage != GLNN_STAGE_AUTO)
        return GLNN_OK;
    double fragment_ms, compute_ms;
    GLNN__TRY(glnn__stage_compare(ctx, &fragment_ms, &compute_ms));
    ctx->info.stage = compute_ms < fragment_ms ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_INFO,
              "stage %s: a sample product takes %.3f ms in fragment shaders, "
              "%.3f ms in compute shaders",
              glnn_stage_name(ctx->info.stage), fragment_ms, compute_ms);
    return GLNN_OK;
}
