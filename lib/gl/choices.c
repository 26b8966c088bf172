/* The choices of a context: those of the program and of the environment, and the tier, which also
 * depends on the driver. */
#include "gl/choices.h"

#include "base/names.h"
#include "base/status.h"
#include "gl/gl.h"
#include "gl/lifetime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char creation[] = "glnn_context_create";

static const char *const platform_names[GLNN_PLATFORM_COUNT] = {
    [GLNN_PLATFORM_EGL] = "egl",
    [GLNN_PLATFORM_GLFW] = "glfw",
    [GLNN_PLATFORM_ADOPT] = "adopt",
};

static const char *const api_names[GLNN_API_COUNT] = {
    [GLNN_API_DEFAULT] = "default",
    [GLNN_API_GL] = "gl",
    [GLNN_API_ES] = "es",
    [GLNN_API_WEBGL] = "webgl",
};

static const char *const tier_names[GLNN_TIER_COUNT] = {
    [GLNN_TIER_DEFAULT] = "default",
    [GLNN_TIER_FULL] = "full",
    [GLNN_TIER_ES] = "es",
    [GLNN_TIER_TARGETS] = "targets",
};

static const char *const stage_names[GLNN_STAGE_COUNT] = {
    [GLNN_STAGE_DEFAULT] = "default",
    [GLNN_STAGE_FRAGMENT] = "fragment",
    [GLNN_STAGE_COMPUTE] = "compute",
    [GLNN_STAGE_AUTO] = "auto",
};

static const char *const writes_names[GLNN_WRITES_COUNT] = {
    [GLNN_WRITES_DEFAULT] = "default",
    [GLNN_WRITES_AUTO] = "auto",
    [GLNN_WRITES_TARGETS] = "targets",
    [GLNN_WRITES_IMAGES] = "images",
};

static const char *const tuning_names[GLNN_TUNING_COUNT] = {
    [GLNN_TUNING_DEFAULT] = "default",
    [GLNN_TUNING_OFF] = "off",
    [GLNN_TUNING_QUICK] = "quick",
    [GLNN_TUNING_AGAIN] = "again",
};

GLNN__DEFINE_NAMES(glnn_platform, platform_names)
GLNN__DEFINE_NAMES(glnn_api, api_names)
GLNN__DEFINE_NAMES(glnn_tier, tier_names)
GLNN__DEFINE_NAMES(glnn_stage, stage_names)
GLNN__DEFINE_NAMES(glnn_writes, writes_names)
GLNN__DEFINE_NAMES(glnn_tuning, tuning_names)

/* An enumeration whose value 0 leaves the choice to an environment variable. */
typedef struct choice {
    const char *what, *variable;
    const char *const *names;
    int count;
    int standard; /* the value if the variable makes no choice either */
} choice;

/* The driver decides which tier is the standard. */
static const choice apis = {"api", "GLNN_API", api_names, GLNN_API_COUNT, GLNN__STANDARD_API};
static const choice tiers = {"tier", "GLNN_TIER", tier_names, GLNN_TIER_COUNT, GLNN_TIER_DEFAULT};
static const choice stages = {"stage", "GLNN_STAGE", stage_names, GLNN_STAGE_COUNT,
                              GLNN_STAGE_FRAGMENT};
static const choice ways = {"writes", "GLNN_WRITES", writes_names, GLNN_WRITES_COUNT,
                            GLNN_WRITES_AUTO};
static const choice tunings = {"tuning", "GLNN_TUNE", tuning_names, GLNN_TUNING_COUNT,
                               GLNN_TUNING_QUICK};

static glnn_status choose(const char *function, const choice *of, int wanted, int *chosen)
{
    const char *value = getenv(of->variable);
    char asker[64];
    if (wanted < 0 || wanted >= of->count)
        return glnn__fail(GLNN_E_ARG, "%s: %s is %d, which is not in the enumeration", function,
                          of->what, wanted);
    *chosen = wanted;
    snprintf(asker, sizeof asker, "%s: $%s", function, of->variable);
    if (*chosen == 0 && value && *value)
        GLNN__TRY(glnn__name_find(asker, of->names, of->count, value, chosen));
    if (*chosen == 0)
        *chosen = of->standard;
    return GLNN_OK;
}

static glnn_status choose_tuning(glnn_context *ctx, const char *function, glnn_tuning tuning)
{
    int chosen;
    GLNN__TRY(choose(function, &tunings, (int)tuning, &chosen));
    ctx->info.tuning = (glnn_tuning)chosen;
    return GLNN_OK;
}

/* 0: as many as the driver has, up to 8. */
static glnn_status read_targets(int wanted, int *chosen)
{
    const char *value = getenv("GLNN_TARGETS");
    *chosen = wanted;
    if (wanted == 0 && value && *value)
        *chosen = strcmp(value, "4") == 0 ? 4 : strcmp(value, "8") == 0 ? 8 : -1;
    if (*chosen == 0 || *chosen == 4 || *chosen == 8)
        return GLNN_OK;
    if (wanted == 0)
        return glnn__fail(GLNN_E_ARG, "%s: $GLNN_TARGETS: \"%s\" is neither 4 nor 8", creation,
                          value);
    return glnn__fail(GLNN_E_ARG, "%s: render_targets is %d; it must be 4 or 8, or 0 for the most",
                      creation, wanted);
}

glnn_status glnn__gl_make_choices(glnn_context *ctx, const glnn_context_desc *desc)
{
    int api, tier, stage, writes;
    GLNN__TRY(choose(creation, &apis, (int)desc->api, &api));
    GLNN__TRY(choose(creation, &tiers, (int)desc->tier, &tier));
    GLNN__TRY(read_targets(desc->render_targets, &ctx->info.render_targets));
    ctx->desc.api = (glnn_api)api;
    ctx->info.tier = (glnn_tier)tier;
    GLNN__TRY(choose(creation, &stages, (int)desc->stage, &stage));
    GLNN__TRY(choose(creation, &ways, (int)desc->writes, &writes));
    ctx->info.stage = (glnn_stage)stage;
    ctx->info.writes = (glnn_writes)writes;
    return choose_tuning(ctx, creation, desc->tuning);
}

glnn_status glnn_context_set_tuning(glnn_context *ctx, glnn_tuning tuning)
{
    GLNN__CONTEXT(ctx);
    return choose_tuning(ctx, __func__, tuning);
}

/* ---- The tier */

enum { FEW_TARGETS = 4, MANY_TARGETS = 8 };

static glnn_status choose_tier(glnn_context_info *info)
{
    static const glnn_tier of_api[GLNN_API_COUNT] = {[GLNN_API_GL] = GLNN_TIER_FULL,
                                                     [GLNN_API_ES] = GLNN_TIER_ES,
                                                     [GLNN_API_WEBGL] = GLNN_TIER_TARGETS};
    const glnn_tier highest = of_api[info->api];
    if (info->tier == GLNN_TIER_DEFAULT)
        info->tier = highest;
    if (info->tier >= highest)
        return GLNN_OK;
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "the tier %s needs %s; this context of %s has the tier %s",
                      glnn_tier_name(info->tier),
                      info->tier == GLNN_TIER_FULL ? "desktop OpenGL 4.3" : "OpenGL ES 3.1",
                      info->renderer, glnn_tier_name(highest));
}

static glnn_status choose_targets(glnn_context_info *info)
{
    const bool has_many = info->max_draw_buffers >= MANY_TARGETS || info->tier == GLNN_TIER_FULL;
    if (info->render_targets == 0)
        info->render_targets = has_many ? MANY_TARGETS : FEW_TARGETS;
    if (info->render_targets < MANY_TARGETS && info->tier == GLNN_TIER_FULL)
        return glnn__fail(
            GLNN_E_ARG,
            "the tier full needs %d render targets, not %d; the tier targets can do with that",
            MANY_TARGETS, info->render_targets);
    return GLNN_OK;
}

static glnn_status choose_stage(glnn_context *ctx)
{
    glnn_context_info *info = &ctx->info;
    if (!ctx->has_compute && info->stage == GLNN_STAGE_COMPUTE)
        return glnn__fail(GLNN_E_ARG,
                          "the tier %s has fragment shaders alone, so the stage cannot be compute",
                          glnn_tier_name(info->tier));
    if (!ctx->has_compute)
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
    ctx->has_compute = ctx->info.tier != GLNN_TIER_TARGETS;
    GLNN__TRY(choose_targets(&ctx->info));
    GLNN__TRY(choose_stage(ctx));
    return choose_writes(&ctx->info);
}
