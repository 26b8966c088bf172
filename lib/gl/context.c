#include <glnn/context.h>

#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "base/string.h"
#include "gl/choices.h"
#include "gl/current.h"
#include "gl/debug.h"
#include "gl/fences.h"
#include "gl/gl.h"
#include "gl/host.h"
#include "gl/lifetime.h"
#include "gl/limits.h"
#include "gl/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const glnn__platform *const platforms[GLNN_PLATFORM_COUNT] = {
    [GLNN_PLATFORM_EGL] = &glnn__platform_egl,
    [GLNN_PLATFORM_GLFW] = &glnn__platform_glfw,
    [GLNN_PLATFORM_ADOPT] = &glnn__platform_adopt,
};

static const char creation[] = "glnn_context_create";

static glnn_status check_desc(const glnn_context_desc *desc)
{
    GLNN__TRY(glnn__fail_in(creation, GLNN__RESERVED_CHECK(glnn_context_desc, desc)));
    if ((unsigned)desc->platform >= GLNN_PLATFORM_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: platform is %d, which is not in the enumeration",
                          creation, (int)desc->platform);
    if (desc->device < 0)
        return glnn__fail(GLNN_E_ARG, "%s: device is %d; it must not be negative", creation,
                          desc->device);
    if (desc->device > 0 && desc->platform != GLNN_PLATFORM_EGL)
        return glnn__fail(GLNN_E_ARG,
                          "%s: device is %d, but the platform is %s; only EGL has a "
                          "choice of devices",
                          creation, desc->device, glnn_platform_name(desc->platform));
    if (!(desc->pass_limit_ms >= 0) || isinf(desc->pass_limit_ms))
        return glnn__fail(GLNN_E_ARG,
                          "%s: pass_limit_ms is %g; it must be a positive number, or 0 for the "
                          "default of the device",
                          creation, desc->pass_limit_ms);
    return GLNN_OK;
}

/* Replaces a string by a copy that belongs to the context, or by NULL if memory ran out. */
static bool own_string(const char **text)
{
    return !*text || (*text = glnn__string_copy(*text));
}

static glnn_status fill_in_desc(glnn_context *ctx, const glnn_context_desc *desc)
{
    const char *folder = getenv("GLNN_SHADER_DIR");
    ctx->desc = *desc;
    if (!desc->shader_dir && folder && *folder)
        ctx->desc.shader_dir = folder;
    const bool owns_shaders = own_string(&ctx->desc.shader_dir);
    const bool owns_cache = own_string(&ctx->desc.cache_dir);
    const bool owns_canvas = own_string(&ctx->desc.canvas);
    if (owns_shaders && owns_cache && owns_canvas)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the description of the context", creation);
}

/* Lets the driver choose the number. The threads of an adopted context are the host's choice. */
static void use_compiler_threads(void)
{
    if (glnn__gl_has_extension("GL_KHR_parallel_shader_compile") && glMaxShaderCompilerThreadsKHR)
        glMaxShaderCompilerThreadsKHR(~0u);
}

/* An adopted context has the interface that the description names, if it names one. */
static glnn_status check_api(const glnn_context *ctx, glnn_api wanted)
{
    if (!ctx->platform->adopted || wanted == GLNN_API_DEFAULT || wanted == ctx->info.api)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "api is %s, but the current context is one of OpenGL %s",
                      glnn_api_name(wanted), glnn__gl_version_words(glnn__gl_get_names().version));
}

static glnn_status start(glnn_context *ctx, glnn_api wanted)
{
    GLNN__TRY(glnn__gl_load(ctx, ctx->platform->adopted ? wanted : ctx->desc.api));
    GLNN__TRY(check_api(ctx, wanted));
    if (ctx->platform->adopted) {
        GLNN__TRY(glnn__host_create(ctx));
    } else {
        glnn__debug_start(ctx);
        glnn__gl_set_defaults(ctx);
        use_compiler_threads();
    }
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__gl_measure(ctx)));
    GLNN__TRY(glnn__fences_create(ctx));
    glnn_context_reset_counters(ctx);
    glnn__log(GLNN_LOG_INFO, "%s context on %s, OpenGL %s", ctx->platform->name, ctx->info.renderer,
              glnn__gl_version_words(ctx->info.version));
    return GLNN_OK;
}

/* All but the structure itself. */
static void free_memory(glnn_context *ctx)
{
    free((char *)ctx->info.vendor);
    free((char *)ctx->info.renderer);
    free((char *)ctx->info.version);
    free((char *)ctx->desc.shader_dir);
    free((char *)ctx->desc.cache_dir);
    free((char *)ctx->desc.canvas);
}

static glnn_status create(glnn_context *ctx, const glnn_context_desc *desc)
{
    GLNN__TRY(fill_in_desc(ctx, desc));
    GLNN__TRY(glnn__gl_make_choices(ctx, desc));
    const glnn__platform *platform = platforms[desc->platform];
    GLNN__TRY(platform->create(&ctx->native, &ctx->desc));
    ctx->platform = platform;
    glnn_status status = start(ctx, desc->api);
    if (status != GLNN_OK) {
        glnn__host_destroy(ctx);
        platform->destroy(&ctx->native);
    }
    return status;
}

glnn_status glnn__gl_create(const glnn_context_desc *desc, glnn_context **out)
{
    static const glnn_context_desc defaults = {0};
    if (!out)
        return glnn__fail_null(creation, "out");
    *out = NULL;
    if (!desc)
        desc = &defaults;
    GLNN__TRY(check_desc(desc));
    glnn_context *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a context", creation);
    glnn__current before = glnn__current_get();
    glnn_status status = glnn__fail_in(creation, create(ctx, desc));
    if (status != GLNN_OK) {
        free_memory(ctx);
        free(ctx);
        glnn__current_set(&before);
        return status;
    }
    *out = ctx;
    return GLNN_OK;
}

/* Deleting objects that are not bound does not change a host's state. So nothing is saved, and the
 * host's own commands do not matter. */
static void destroy_objects(glnn_context *ctx)
{
    const bool was_lost = ctx->is_device_lost;
    glnn__gl_close_pairs(ctx);
    glnn__gl_forgive(ctx);
    ++ctx->depth;
    glnn__slots_destroy(ctx);
    glnn__host_destroy(ctx);
    if (glnn__gl_check(ctx, "deleting the objects of a context") != GLNN_OK && !was_lost)
        glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: %s", glnn_last_error());
    --ctx->depth;
}

/* If the context cannot be made current, its objects are lost. No context is current meanwhile, so
 * that calls of OpenGL do nothing instead of deleting another context's objects. */
static void destroy_without_context(glnn_context *ctx)
{
    glnn__log(GLNN_LOG_WARNING,
              "glnn_context_destroy: the objects of the context remain in OpenGL: %s",
              glnn_last_error());
    glnn__current before = glnn__current_get();
    glnn__gl_close_pairs(ctx);
    glnn__current_release();
    ++ctx->depth;
    glnn__slots_destroy(ctx);
    glnn__host_destroy(ctx);
    --ctx->depth;
    glnn__current_set(&before);
}

void glnn_context_destroy(glnn_context *ctx)
{
    if (!ctx || ctx->is_destroyed)
        return;
    glnn__dependents_stop(ctx);
    if (glnn__platform_is_current(ctx) || ctx->platform->make_current(&ctx->native) == GLNN_OK)
        destroy_objects(ctx);
    else
        destroy_without_context(ctx);
    ctx->platform->destroy(&ctx->native);
    free_memory(ctx);
    glnn__context_bury(ctx);
}

glnn_status glnn_context_release(glnn_context *ctx)
{
    GLNN__CONTEXT(ctx);
    if (ctx->depth > 0)
        return glnn__fail(GLNN_E_STATE, "%s: %s is under way and needs the context", __func__,
                          ctx->label.call);
    if (!ctx->platform->adopted && glnn__platform_is_current(ctx))
        glnn__current_release();
    return GLNN_OK;
}

glnn_status glnn_context_get_info(const glnn_context *ctx, glnn_context_info *out)
{
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_context_info, quad_exchange, out));
    glnn__sized_fill(out, &ctx->info, sizeof ctx->info);
    return GLNN_OK;
}

glnn_status glnn_context_get_counters(const glnn_context *ctx, glnn_counters *out)
{
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_counters, waits, out));
    glnn__sized_fill(out, &ctx->counters, sizeof ctx->counters);
    return GLNN_OK;
}

void glnn_context_reset_counters(glnn_context *ctx)
{
    if (ctx)
        ctx->counters = (glnn_counters){0};
}

glnn_status glnn_context_finish(glnn_context *ctx)
{
    GLNN__CONTEXT(ctx);
    GLNN__TRY(glnn__gl_enter(ctx));
    glnn__gl_wait(ctx);
    return glnn__gl_leave(ctx, glnn__gl_check(ctx, "waiting for the GPU"));
}
