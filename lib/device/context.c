/* The public creation of a context. lib/gl creates the context, and lib/device adds the functions
 * by which lower parts of the library ask for the device profile and for layouts. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "device/profiler.h"
#include "device/trials.h"
#include "gl/gl.h"
#include "gl/lifetime.h"
#include "ops/gemm/layout.h"
#include "tex/texture.h"

#include <glnn/context.h>

#include <math.h>

typedef glnn_status find_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                 const glnn__profile **out);

/* The speed of products in the compute stage over that in the fragment stage. */
static glnn_status compare(glnn_context *ctx, find_profile *find, double *ratio)
{
    const glnn__profile *profile;
    double speeds[GLNN_STAGE_AUTO];
    if (!ctx->has_compute)
        return glnn__fail(GLNN_E_UNSUPPORTED, "the tier %s has no compute stage to compare with",
                          glnn_tier_name(ctx->info.tier));
    for (int stage = GLNN_STAGE_FRAGMENT; stage < GLNN_STAGE_AUTO; ++stage) {
        GLNN__TRY(find(ctx, (glnn_stage)stage, GLNN__PROFILE_TILED, &profile));
        speeds[stage] =
            profile->products[GLNN__RENDERED(GLNN_LAYOUT_TILED)].speeds[GLNN__OCCUPANCIES - 1];
    }
    *ratio = speeds[GLNN_STAGE_COMPUTE] / speeds[GLNN_STAGE_FRAGMENT];
    return GLNN_OK;
}

glnn_status glnn_context_compare_stages(glnn_context *ctx, double *ratio)
{
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(ratio);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, compare(ctx, glnn__profiler_measured, ratio));
}

/* Chooses the faster stage by the device profile. The counters do not include the measurement. */
static glnn_status choose_stage(glnn_context *ctx)
{
    double ratio = 1;
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, compare(ctx, glnn__profile_of_stage, &ratio)));
    glnn_context_reset_counters(ctx);
    ctx->info.stage = ratio > 1 ? GLNN_STAGE_COMPUTE : GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_INFO,
              "stage %s: compute shaders multiply %.2f times as fast as fragment shaders",
              glnn_stage_name(ctx->info.stage), ratio);
    return GLNN_OK;
}

/* Without images that can be trusted, the tier is lower. */
static void use_targets(glnn_context *ctx)
{
    ctx->info.tier = GLNN_TIER_TARGETS;
    ctx->info.stage = GLNN_STAGE_FRAGMENT;
    ctx->info.writes = GLNN_WRITES_TARGETS;
    ctx->has_compute = ctx->has_images = false;
    glnn__log(GLNN_LOG_WARNING,
              "tier targets: the driver of %s does not show stores to images after a barrier",
              ctx->info.renderer);
}

static glnn_status try_images(glnn_context *ctx)
{
    bool sees_stores, takes_uniforms = true;
    GLNN__TRY(glnn__stores_are_seen(ctx, &sees_stores));
    if (!sees_stores) {
        use_targets(ctx);
        return GLNN_OK;
    }
    if (ctx->info.stage == GLNN_STAGE_COMPUTE)
        GLNN__TRY(glnn__driver_has(ctx, GLNN__PROPERTY_UNIFORMS, &takes_uniforms));
    if (takes_uniforms)
        return GLNN_OK;
    ctx->info.stage = GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_WARNING,
              "fragment shaders in place of compute shaders: the driver of %s loses values of "
              "uniforms of compute shaders",
              ctx->info.renderer);
    return GLNN_OK;
}

/* The trials that have to precede the first pass. */
static glnn_status try_properties(glnn_context *ctx)
{
    bool clears;
    GLNN__TRY(glnn__driver_has(ctx, GLNN__PROPERTY_TEXTURE_CLEARS, &clears));
    if (!clears)
        ctx->offers &= ~(unsigned)GLNN__OFFERS_TEXTURE_CLEARS;
    return ctx->has_compute ? try_images(ctx) : GLNN_OK;
}

static glnn_status try_driver(glnn_context *ctx)
{
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, try_properties(ctx));
}

static glnn_status note_kernel(glnn_context *ctx)
{
    return glnn__driver_expect(ctx, GLNN__PROPERTY_COPY_LOOPS);
}

/* Adds what lower rooms ask of higher ones. */
static glnn_status complete(glnn_context *ctx)
{
    glnn__device *device;
    GLNN__TRY(glnn__slot_get(ctx, &glnn__device_slot, &device));
    device->ask_profile = glnn__profiler_ask;
    device->ask_blending = glnn__blending_is_exact;
    device->note_kernel = note_kernel;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__matrices_begin(ctx, glnn__layout_of_matrix));
}

glnn_status glnn_context_create(const glnn_context_desc *desc, glnn_context **out)
{
    GLNN__TRY(glnn__gl_create(desc, out));
    glnn_status status = complete(*out);
    if (!status && (*out)->info.stage == GLNN_STAGE_AUTO)
        status = choose_stage(*out);
    if (!status)
        status = try_driver(*out);
    if (status) {
        glnn_context_destroy(*out);
        *out = NULL;
    }
    return status;
}

glnn_status glnn_context_warm_up(glnn_context *ctx, double milliseconds, double *progress)
{
    double share = 0;
    GLNN__CONTEXT(ctx);
    if (!(milliseconds >= 0) || !isfinite(milliseconds))
        return glnn__fail(GLNN_E_ARG, "%s: %g ms; they have to be finite and not negative",
                          __func__, milliseconds);
    const double end =
        milliseconds > 0 ? glnn__clock_seconds() + milliseconds / 1000 : (double)INFINITY;
    GLNN__TRY(glnn__gl_enter(ctx));
    const glnn_status status =
        glnn__gl_leave(ctx, glnn__profiler_ask_until(ctx, GLNN__PROFILE_USUAL, end, &share));
    if (progress)
        *progress = share;
    return status;
}

glnn_status glnn_context_measure(glnn_context *ctx)
{
    GLNN__CONTEXT(ctx);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__profiler_measure_anew(ctx));
}
