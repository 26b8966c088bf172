#include "pass/stage.h"

#include "base/log.h"
#include "base/status.h"
#include "pass/figures.h"

typedef glnn_status find_figures(glnn_context *ctx, unsigned groups, const glnn__figures **out);

static glnn_status find_speed(glnn_context *ctx, glnn_stage stage, find_figures *find,
                              double *multiply_adds)
{
    const glnn_stage former = ctx->info.stage;
    const glnn__figures *figures;
    ctx->info.stage = stage;
    const glnn_status status = find(ctx, GLNN__FIGURES_TILED, &figures);
    ctx->info.stage = former;
    if (!status)
        *multiply_adds = figures->products[GLNN_LAYOUT_TILED].speeds[GLNN__OCCUPANCIES - 1];
    return status;
}

static glnn_status compare(glnn_context *ctx, find_figures *find, double *ratio)
{
    double fragment, compute;
    GLNN__TRY(find_speed(ctx, GLNN_STAGE_FRAGMENT, find, &fragment));
    GLNN__TRY(find_speed(ctx, GLNN_STAGE_COMPUTE, find, &compute));
    *ratio = compute / fragment;
    return GLNN_OK;
}

glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio)
{
    if (!ctx || !ratio)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, compare(ctx, glnn__figures_measured, ratio));
}

glnn_status glnn__stage_resolve(glnn_context *ctx)
{
    double ratio;
    if (ctx->info.stage != GLNN_STAGE_AUTO)
        return GLNN_OK;
    GLNN__TRY(compare(ctx, glnn__figures_for_plans, &ratio));
    ctx->info.stage = ratio > 1 ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_INFO,
              "stage %s: compute shaders multiply %.2f times as fast as fragment "
              "shaders",
              glnn_stage_name(ctx->info.stage), ratio);
    return GLNN_OK;
}
