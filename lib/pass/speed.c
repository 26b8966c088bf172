#include "pass/speed.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"

#include <math.h>

/* Sides of the product that is timed: the first that takes long enough to tell a speed by. The
 * slowest layout on a software rasteriser takes about 30 ms for the first. */
#define FIRST_SIDE 256
#define LAST_SIDE  2048
#define ENOUGH_MS  10.0

static glnn_status time_pass(glnn_context *ctx, const glnn__pass *pass, double *milliseconds)
{
    GLNN__TRY(glnn__pass_run(ctx, pass)); /* the first one compiles */
    glnn__gl_wait(ctx);
    const double start = glnn__clock_seconds();
    GLNN__TRY(glnn__pass_run(ctx, pass));
    glnn__gl_wait(ctx);
    *milliseconds = 1e3 * (glnn__clock_seconds() - start);
    return GLNN_OK;
}

static glnn_status time_product(glnn_context *ctx, glnn_layout layout, glnn__fetching fetching,
                                int side, double *milliseconds)
{
    const glnn_matrix_desc desc = {
        .rows = side, .columns = side, .layout = layout, .name = "speed sample"};
    glnn_matrix *m[3] = {0};
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        status = glnn_matrix_create(ctx, &desc, &m[i]);
    if (!status)
        status = time_pass(ctx,
                           &(glnn__pass){
                               .kernel = GLNN__KERNEL_GEMM,
                               .operands = {{.matrix = m[0]}, {.matrix = m[1]}},
                               .output = m[2],
                               .scalars = {1},
                               .integers = {0, side, side, 1},
                               .fetching = fetching,
                           },
                           milliseconds);
    for (int i = 0; i < 3; ++i)
        glnn_matrix_destroy(m[i]);
    return status;
}

glnn_status glnn__speed_measure(glnn_context *ctx, glnn_stage stage, glnn_layout layout,
                                glnn__fetching fetching, double *multiply_adds_per_ms)
{
    const glnn_stage former = ctx->info.stage;
    glnn_status status = GLNN_OK;
    double milliseconds = 0;
    ctx->info.stage = stage;
    for (int side = FIRST_SIDE; side <= LAST_SIDE && milliseconds < ENOUGH_MS && !status;
         side *= 2) {
        status = time_product(ctx, layout, fetching, side, &milliseconds);
        *multiply_adds_per_ms = pow(side, 3) / fmax(milliseconds, 1e-3);
    }
    ctx->info.stage = former;
    return status;
}

glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio)
{
    double fragment, compute;
    if (!ctx || !ratio)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = glnn__speed_measure(ctx, GLNN_STAGE_FRAGMENT, GLNN_LAYOUT_TILED,
                                             GLNN__FETCHING_TEXELS, &fragment);
    if (!status)
        status = glnn__speed_measure(ctx, GLNN_STAGE_COMPUTE, GLNN_LAYOUT_TILED,
                                     GLNN__FETCHING_TEXELS, &compute);
    if (!status)
        *ratio = compute / fragment;
    return glnn__gl_leave(ctx, status);
}

glnn_status glnn__stage_resolve(glnn_context *ctx)
{
    double ratio;
    if (ctx->info.stage != GLNN_STAGE_AUTO)
        return GLNN_OK;
    GLNN__TRY(glnn_context_compare_stages(ctx, &ratio));
    ctx->info.stage = ratio > 1 ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_INFO,
              "stage %s: compute shaders multiply %.2f times as fast as fragment "
              "shaders",
              glnn_stage_name(ctx->info.stage), ratio);
    return GLNN_OK;
}
