#include "device/stage.h"

#include "base/log.h"
#include "base/status.h"
#include "device/profiler.h"

typedef glnn_status find_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                 const glnn__profile **out);

/* The speed of products in the compute stage over that in the fragment stage. */
static glnn_status compare(glnn_context *ctx, find_profile *find, double *ratio)
{
    const glnn__profile *profile;
    double speeds[GLNN_STAGE_AUTO];
    for (int stage = 0; stage < GLNN_STAGE_AUTO; ++stage) {
        GLNN__TRY(find(ctx, (glnn_stage)stage, GLNN__PROFILE_TILED, &profile));
        speeds[stage] =
            profile->products[GLNN__RENDERED(GLNN_LAYOUT_TILED)].speeds[GLNN__OCCUPANCIES - 1];
    }
    *ratio = speeds[GLNN_STAGE_COMPUTE] / speeds[GLNN_STAGE_FRAGMENT];
    return GLNN_OK;
}

glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio)
{
    if (!ctx || !ratio)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, compare(ctx, glnn__profiler_measured, ratio));
}

glnn_status glnn__stage_choose(glnn_context *ctx)
{
    double ratio;
    GLNN__TRY(compare(ctx, glnn__profile_of_stage, &ratio));
    ctx->info.stage = ratio > 1 ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_INFO,
              "stage %s: compute shaders multiply %.2f times as fast as fragment shaders",
              glnn_stage_name(ctx->info.stage), ratio);
    return GLNN_OK;
}
