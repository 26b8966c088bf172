/* What the library uses of a context, out of what the program wants and what the driver has. */
#include "base/status.h"
#include "gl/gl.h"
#include "gl/limits.h"

enum { FEW_TARGETS = 4, MANY_TARGETS = 8 };

static glnn_status choose_tier(glnn_context_info *info)
{
    const glnn_tier highest = info->api == GLNN_API_ES ? GLNN_TIER_ES : GLNN_TIER_FULL;
    if (info->tier == GLNN_TIER_DEFAULT)
        info->tier = highest;
    if (info->tier >= highest)
        return GLNN_OK;
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "the tier %s needs desktop OpenGL 4.3; %s with OpenGL %s has the tier %s",
                      glnn_tier_name(info->tier), info->renderer,
                      glnn__gl_version_words(info->version), glnn_tier_name(highest));
}

static glnn_status choose_targets(glnn_context_info *info)
{
    const bool has_many = info->max_draw_buffers >= MANY_TARGETS || info->tier == GLNN_TIER_FULL;
    if (info->render_targets == 0)
        info->render_targets = has_many ? MANY_TARGETS : FEW_TARGETS;
    if (info->render_targets < MANY_TARGETS && info->tier == GLNN_TIER_FULL)
        return glnn__fail(GLNN_E_ARG, "the tier full needs %d render targets, not %d", MANY_TARGETS,
                          info->render_targets);
    return GLNN_OK;
}

static glnn_status choose_stage(glnn_context_info *info)
{
    if (info->api == GLNN_API_ES && info->stage == GLNN_STAGE_COMPUTE)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "the stage compute needs desktop OpenGL 4.3; %s with OpenGL %s has the "
                          "stage fragment",
                          info->renderer, glnn__gl_version_words(info->version));
    if (info->tier == GLNN_TIER_TARGETS && info->stage == GLNN_STAGE_COMPUTE)
        return glnn__fail(GLNN_E_ARG, "the tier targets has fragment shaders alone, so the stage "
                                      "cannot be compute");
    if (info->tier == GLNN_TIER_TARGETS || info->api == GLNN_API_ES)
        info->stage = GLNN_STAGE_FRAGMENT;
    return GLNN_OK;
}

static glnn_status choose_writes(glnn_context_info *info)
{
    if (info->tier != GLNN_TIER_FULL && info->writes == GLNN_WRITES_IMAGES)
        return glnn__fail(GLNN_E_ARG,
                          "fragments write images in the tier full alone, not in the tier %s",
                          glnn_tier_name(info->tier));
    if (info->tier != GLNN_TIER_FULL)
        info->writes = GLNN_WRITES_TARGETS;
    return GLNN_OK;
}

glnn_status glnn__gl_choose_tier(glnn_context *ctx)
{
    GLNN__TRY(choose_tier(&ctx->info));
    ctx->has_images = ctx->info.tier == GLNN_TIER_FULL;
    GLNN__TRY(choose_targets(&ctx->info));
    GLNN__TRY(choose_stage(&ctx->info));
    return choose_writes(&ctx->info);
}
