#include "pass/stage.h"

#include "base/log.h"
#include "base/status.h"
#include "pass/figures.h"

static glnn_status measure_stage(glnn_context *ctx, glnn_stage stage, double *multiply_adds)
{
    const glnn_stage former = ctx->info.stage;
    const glnn__figures *figures;
    ctx->info.stage = stage;
    const glnn_status status = glnn__figures_measured(ctx, &figures);
    ctx->info.stage = former;
    if (!status)
        *multiply_adds = figures->products[GLNN_LAYOUT_TILED][GLNN__OCCUPANCIES - 1];
    return status;
}

glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio)
{
    double fragment, compute;
    if (!ctx || !ratio)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn_status status = measure_stage(ctx, GLNN_STAGE_FRAGMENT, &fragment);
    if (!status)
        status = measure_stage(ctx, GLNN_STAGE_COMPUTE, &compute);
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
