/* The public creation of a context. lib/gl creates the context, and lib/device adds the functions
 * by which lower parts of the library ask for the device profile and for layouts. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "device/blending.h"
#include "device/profiler.h"
#include "gl/gl.h"
#include "gl/lifetime.h"
#include "ops/gemm/layout.h"
#include "pass/embedded.h"

#include <glnn/context.h>

#include <math.h>

/* ---- Values of uniforms */

#define PROGRAMS 2

static GLuint create_result(void)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32F, 1, 1);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    return texture;
}

/* Dispatches the programs in turn, the first one with this number of turns before and after the
 * other one. Returns the result of the last dispatch. */
static float alternate(glnn_context *ctx, const GLuint programs[PROGRAMS], int turns)
{
    float result = 0;
    for (int i = 0; i <= PROGRAMS; ++i) {
        const bool is_other = i == 1;
        glnn__gl_use_program(ctx, programs[is_other]);
        glUniform1i(0, is_other ? 1 : turns);
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        glDispatchCompute(1, 1, 1);
    }
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, &result);
    return result;
}

/* True if a compute shader takes a new value of a uniform also after another program was used.
 * Mesa's zink 22.3 and 25.0 on a software rasteriser compile such values into programs, and can
 * then take a program with an earlier value. The function tries it on the device. */
static glnn_status try_uniforms(glnn_context *ctx, bool *out)
{
    const char *text = glnn__embedded_text("trials/uniforms.glsl");
    GLuint programs[PROGRAMS];
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY | GLNN__PART_IMAGE(0) | GLNN__PART_PROGRAM));
    const GLuint texture = create_result();
    for (int i = 0; i < PROGRAMS; ++i)
        programs[i] = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text);
    const float once = alternate(ctx, programs, 1), twice = alternate(ctx, programs, 2);
    *out = once == 1 && twice == 1.5f;
    glnn__gl_use_program(ctx, 0);
    for (int i = 0; i < PROGRAMS; ++i)
        glDeleteProgram(programs[i]);
    glDeleteTextures(1, &texture);
    ++ctx->bindings_age;
    return glnn__gl_check(ctx, "trying uniforms of compute shaders");
}

/* ---- Creation */

typedef glnn_status find_profile(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                 const glnn__profile **out);

/* The speed of products in the compute stage over that in the fragment stage. */
static glnn_status compare(glnn_context *ctx, find_profile *find, double *ratio)
{
    const glnn__profile *profile;
    double speeds[GLNN_STAGE_AUTO];
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

/* Fragment shaders compute if compute shaders cannot be trusted. */
static glnn_status try_compute(glnn_context *ctx)
{
    bool is_trusted = false;
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, try_uniforms(ctx, &is_trusted)));
    if (is_trusted)
        return GLNN_OK;
    ctx->info.stage = GLNN_STAGE_FRAGMENT;
    glnn__log(GLNN_LOG_WARNING,
              "stage fragment instead of compute: with the driver of %s, compute shaders compute "
              "with values of uniforms that were set earlier",
              ctx->info.renderer);
    return GLNN_OK;
}

/* Adds what lower rooms ask of higher ones. */
static glnn_status complete(glnn_context *ctx)
{
    glnn__device *device;
    GLNN__TRY(glnn__slot_get(ctx, &glnn__device_slot, &device));
    device->ask_profile = glnn__profiler_ask;
    device->ask_blending = glnn__blending_is_exact;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__matrices_begin(ctx, glnn__layout_of_matrix));
}

glnn_status glnn_context_create(const glnn_context_desc *desc, glnn_context **out)
{
    GLNN__TRY(glnn__gl_create(desc, out));
    glnn_status status = complete(*out);
    if (!status && (*out)->info.stage == GLNN_STAGE_AUTO)
        status = choose_stage(*out);
    if (!status && (*out)->info.stage == GLNN_STAGE_COMPUTE)
        status = try_compute(*out);
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
