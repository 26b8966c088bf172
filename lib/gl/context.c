#include <glnn/context.h>

#include "base/log.h"
#include "base/status.h"
#include "gl/current.h"
#include "gl/debug.h"
#include "gl/gl.h"
#include "gl/limits.h"
#include "gl/platform.h"
#include "gl/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_pass_limit_ms = 50;

static const glnn__platform *find_platform(glnn_platform platform)
{
    switch (platform) {
    case GLNN_PLATFORM_EGL:
        return &glnn__platform_egl;
    case GLNN_PLATFORM_GLFW:
        return &glnn__platform_glfw;
    case GLNN_PLATFORM_ADOPT:
        return &glnn__platform_adopt;
    }
    return NULL;
}

const char *glnn_stage_name(glnn_stage stage)
{
    static const char *const names[GLNN_STAGE_COUNT] = {"fragment", "compute", "auto"};
    return (unsigned)stage < GLNN_STAGE_COUNT ? names[stage] : "unknown stage";
}

/* The environment speaks where the description does not. */
static glnn_status choose_stage(glnn_context *ctx)
{
    const char *name = getenv("GLNN_STAGE");
    ctx->info.stage = ctx->desc.stage;
    if (ctx->desc.stage != GLNN_STAGE_FRAGMENT || !name || !*name)
        return GLNN_OK;
    for (int i = 0; i < GLNN_STAGE_COUNT; ++i) {
        ctx->info.stage = (glnn_stage)i;
        if (strcmp(name, glnn_stage_name(ctx->info.stage)) == 0)
            return GLNN_OK;
    }
    return glnn__fail(GLNN_E_ARG, "GLNN_STAGE is '%s'; it can be fragment, compute or auto", name);
}

const char *glnn_tuning_name(glnn_tuning tuning)
{
    static const char *const names[GLNN_TUNING_COUNT] = {"default", "off", "quick", "full"};
    return (unsigned)tuning < GLNN_TUNING_COUNT ? names[tuning] : "unknown tuning";
}

static glnn_status choose_tuning(glnn_context *ctx, glnn_tuning tuning)
{
    const char *name = getenv("GLNN_TUNE");
    if (tuning != GLNN_TUNING_DEFAULT || !name || !*name) {
        ctx->info.tuning = tuning != GLNN_TUNING_DEFAULT ? tuning : GLNN_TUNING_QUICK;
        return GLNN_OK;
    }
    for (int i = GLNN_TUNING_OFF; i < GLNN_TUNING_COUNT; ++i)
        if (strcmp(name, glnn_tuning_name((glnn_tuning)i)) == 0) {
            ctx->info.tuning = (glnn_tuning)i;
            return GLNN_OK;
        }
    return glnn__fail(GLNN_E_ARG, "GLNN_TUNE is '%s'; it can be off, quick or full", name);
}

static glnn_status check_tuning(const char *what, glnn_tuning tuning)
{
    if ((unsigned)tuning < GLNN_TUNING_COUNT)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: there is no tuning %d", what, (int)tuning);
}

glnn_status glnn_context_set_tuning(glnn_context *ctx, glnn_tuning tuning)
{
    if (!ctx)
        return glnn__fail(GLNN_E_ARG, "%s: the context is null", __func__);
    GLNN__TRY(check_tuning(__func__, tuning));
    return choose_tuning(ctx, tuning);
}

static glnn_status check_desc(const glnn_context_desc *desc)
{
    if (!find_platform(desc->platform))
        return glnn__fail(GLNN_E_ARG, "glnn_context_create: there is no platform %d",
                          (int)desc->platform);
    if ((unsigned)desc->stage >= GLNN_STAGE_COUNT)
        return glnn__fail(GLNN_E_ARG, "glnn_context_create: there is no stage %d",
                          (int)desc->stage);
    GLNN__TRY(check_tuning("glnn_context_create", desc->tuning));
    if (desc->device < 0)
        return glnn__fail(GLNN_E_ARG, "glnn_context_create: the device index is %d, below 0",
                          desc->device);
    if (!(desc->pass_limit_ms >= 0) || isinf(desc->pass_limit_ms))
        return glnn__fail(GLNN_E_ARG,
                          "glnn_context_create: pass_limit_ms is %g; it must be a positive number, "
                          "or 0 for %g",
                          desc->pass_limit_ms, default_pass_limit_ms);
    return GLNN_OK;
}

/* Replaces a string by a copy that belongs to the context. */
static glnn_status own_string(const char **text)
{
    if (!*text)
        return GLNN_OK;
    *text = strdup(*text);
    return *text ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for the description of a context");
}

static glnn_status fill_in_desc(glnn_context *ctx, const glnn_context_desc *desc)
{
    const char *folder = getenv("GLNN_SHADER_DIR");
    ctx->desc = *desc;
    if (!desc->shader_dir && folder && *folder)
        ctx->desc.shader_dir = folder;
    if (desc->pass_limit_ms == 0)
        ctx->desc.pass_limit_ms = default_pass_limit_ms;
    /* Whatever fails from here on, both strings are copies or null when they are freed. */
    const char *cache = ctx->desc.cache_dir;
    ctx->desc.cache_dir = NULL;
    GLNN__TRY(own_string(&ctx->desc.shader_dir));
    ctx->desc.cache_dir = cache;
    return own_string(&ctx->desc.cache_dir);
}

static glnn_status start(glnn_context *ctx)
{
    GLNN__TRY(glnn__gl_load());
    if (ctx->platform->adopted) {
        GLNN__TRY(glnn__state_create(ctx));
    } else {
        glnn__debug_start(ctx);
        glnn__gl_set_defaults(ctx);
    }
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__gl_measure(ctx)));
    glnn_context_reset_counters(ctx);
    glnn__log(GLNN_LOG_INFO, "%s context on %s, OpenGL %s", ctx->platform->name, ctx->info.renderer,
              ctx->info.version);
    return GLNN_OK;
}

static void free_memory(glnn_context *ctx)
{
    glnn__state_destroy(ctx);
    free((char *)ctx->info.vendor);
    free((char *)ctx->info.renderer);
    free((char *)ctx->info.version);
    free((char *)ctx->desc.shader_dir);
    free((char *)ctx->desc.cache_dir);
    free(ctx);
}

static glnn_status create(glnn_context *ctx, const glnn_context_desc *desc)
{
    GLNN__TRY(fill_in_desc(ctx, desc));
    GLNN__TRY(choose_stage(ctx));
    GLNN__TRY(choose_tuning(ctx, desc ? desc->tuning : GLNN_TUNING_DEFAULT));
    const glnn__platform *platform = find_platform(desc->platform);
    GLNN__TRY(platform->create(ctx));
    ctx->platform = platform;
    glnn_status status = start(ctx);
    if (status != GLNN_OK)
        platform->destroy(ctx);
    return status;
}

glnn_status glnn_context_create(const glnn_context_desc *desc, glnn_context **out)
{
    static const glnn_context_desc defaults = {0};
    if (!out)
        return glnn__fail(GLNN_E_ARG, "glnn_context_create: out is null");
    *out = NULL;
    if (!desc)
        desc = &defaults;
    GLNN__TRY(check_desc(desc));
    glnn_context *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a context");
    glnn__current before = glnn__current_get();
    glnn_status status = create(ctx, desc);
    if (status != GLNN_OK) {
        free_memory(ctx);
        glnn__current_set(&before);
        return status;
    }
    *out = ctx;
    return GLNN_OK;
}

static void destroy_slots(glnn_context *ctx)
{
    for (int i = GLNN__SLOT_COUNT - 1; i >= 0; --i) {
        if (ctx->slots[i].destroy)
            ctx->slots[i].destroy(ctx, ctx->slots[i].state);
    }
}

/* Where the context cannot be made current its objects are lost with it. No context is current
 * meanwhile: calls of OpenGL do nothing then, rather than delete another context's objects. */
static void destroy_slots_without_context(glnn_context *ctx)
{
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy leaves objects behind in OpenGL: %s",
              glnn_last_error());
    glnn__current before = glnn__current_get();
    glnn__current_release();
    ++ctx->depth;
    destroy_slots(ctx);
    --ctx->depth;
    glnn__current_set(&before);
}

void glnn_context_destroy(glnn_context *ctx)
{
    if (!ctx)
        return;
    if (glnn__gl_enter(ctx) == GLNN_OK) {
        destroy_slots(ctx);
        if (glnn__gl_leave(ctx, GLNN_OK) != GLNN_OK)
            glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: %s", glnn_last_error());
    } else {
        destroy_slots_without_context(ctx);
    }
    ctx->platform->destroy(ctx);
    free_memory(ctx);
}

glnn_status glnn_context_get_info(const glnn_context *ctx, glnn_context_info *out)
{
    if (!ctx || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_context_get_info: %s is null", ctx ? "out" : "ctx");
    *out = ctx->info;
    return GLNN_OK;
}

glnn_status glnn_context_get_counters(const glnn_context *ctx, glnn_counters *out)
{
    if (!ctx || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_context_get_counters: %s is null", ctx ? "out" : "ctx");
    *out = ctx->counters;
    return GLNN_OK;
}

void glnn_context_reset_counters(glnn_context *ctx)
{
    if (ctx)
        ctx->counters = (glnn_counters){0};
}

glnn_status glnn_context_finish(glnn_context *ctx)
{
    if (!ctx)
        return glnn__fail(GLNN_E_ARG, "glnn_context_finish: ctx is null");
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn__gl_wait(ctx);
    return glnn__gl_leave(ctx, glnn__gl_check(ctx, "waiting for the GPU"));
}
