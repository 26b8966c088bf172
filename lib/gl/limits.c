#include "gl/limits.h"

#include "base/integers.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/string.h"
#include "gl/choices.h"
#include "gl/gl.h"

#include <math.h>
#include <string.h>

/* More than any tier uses. */
enum { MOST_TARGETS = 8 };

/* The texture budget if neither the driver nor the system reports the size of the memory. */
#define LEAST_BUDGET ((size_t)1 << 29)

static glnn_status require(const glnn_context *ctx, const char *name, GLint value, GLint least)
{
    if (value >= least)
        return GLNN_OK;
    return glnn__fail(GLNN_E_UNSUPPORTED, "%s with OpenGL %s has a %s of %d; the library needs %d",
                      ctx->info.renderer, glnn__gl_version_words(ctx->info.version), name, value,
                      least);
}

/* Creates a small array texture, attaches each layer, and asks whether it can be drawn into. */
static bool can_draw_into(GLenum format, int layers)
{
    enum { SIZE = 4 };
    GLuint texture = 0, framebuffer = 0;
    GLenum attachments[MOST_TARGETS];
    glGenTextures(1, &texture);
    glGenFramebuffers(1, &framebuffer);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, SIZE, SIZE, layers);
    for (int i = 0; i < layers; ++i) {
        attachments[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
        glFramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, attachments[i], texture, 0, i);
    }
    glDrawBuffers(layers, attachments);
    bool complete = glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
    return complete;
}

static glnn_status require_target(glnn_context *ctx, GLenum format, int layers, const char *words)
{
    const bool can_draw = can_draw_into(format, layers);
    GLNN__TRY(glnn__gl_check(ctx, "drawing into %s", words));
    if (can_draw)
        return GLNN_OK;
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "%s with OpenGL %s cannot draw into %s, which the library needs%s",
                      ctx->info.renderer, glnn__gl_version_words(ctx->info.version), words,
                      ctx->info.api != GLNN_API_GL
                          ? "; OpenGL ES offers it from version 3.2 on, or with the extension "
                            "GL_EXT_color_buffer_float"
                          : "");
}

double glnn__gl_reported_memory(void)
{
    GLint kilobytes[4] = {0}; /* AMD's query writes four numbers; the first is the total */
    if (glnn__gl_has_extension("GL_NVX_gpu_memory_info"))
        glGetIntegerv(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, kilobytes);
    else if (glnn__gl_has_extension("GL_ATI_meminfo"))
        glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, kilobytes);
    return kilobytes[0] > 0 ? 1024.0 * kilobytes[0] : 0;
}

static bool has_timer_queries(const glnn_context *ctx)
{
    GLint bits = 0;
    if (glnn__gl_offers(ctx, GLNN__OFFERS_CLOCK))
        glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
    return bits > 0;
}

/* Whether fragment shaders can swap values with the other fragments of their quad. */
static bool has_quad_exchange(void)
{
    if (!glnn__gl_has_extension("GL_KHR_shader_subgroup"))
        return false;
    return glnn__gl_integer(GL_SUBGROUP_SUPPORTED_STAGES_KHR) & GL_FRAGMENT_SHADER_BIT &&
           glnn__gl_integer(GL_SUBGROUP_SUPPORTED_FEATURES_KHR) & GL_SUBGROUP_FEATURE_QUAD_BIT_KHR;
}

size_t glnn__gl_default_budget(bool is_software, double reported, double machine)
{
    const double memory = is_software || reported <= 0 ? machine : fmin(reported, machine);
    return isinf(memory) ? LEAST_BUDGET : (size_t)(memory / 2);
}

/* Desktop drivers abort passes that take seconds, and windows on the same device stutter if a pass
 * takes more than some hundredths of a second. */
static const double default_pass_limit_ms = 50;

/* Whether a text has these words in capitals or small letters. */
static bool has_words(const char *text, const char *words)
{
    for (; *text; ++text)
        if (glnn__string_begins(text, words))
            return true;
    return false;
}

bool glnn__gl_is_software(const char *renderer)
{
    static const char *const names[] = {
        "llvmpipe",
        "softpipe",
        "swrast",
        "swiftshader",
        "openswr",
        "software rasterizer",
        "software renderer",
        "microsoft basic render",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (has_words(renderer, names[i]))
            return true;
    return false;
}

static double choose_pass_limit(const glnn_context *ctx)
{
    if (ctx->desc.pass_limit_ms > 0)
        return ctx->desc.pass_limit_ms;
    return ctx->info.software ? (double)INFINITY : default_pass_limit_ms;
}

/* The driver's strings are valid as long as its context, the copies as long as the glnn_context. */
static glnn_status copy_names(glnn_context *ctx)
{
    glnn__gl_names names = glnn__gl_get_names();
    ctx->info.vendor = glnn__string_copy(names.vendor);
    ctx->info.renderer = glnn__string_copy(names.renderer);
    ctx->info.version = glnn__string_copy(names.version);
    if (!ctx->info.vendor || !ctx->info.renderer || !ctx->info.version)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the name of the OpenGL renderer");
    return GLNN_OK;
}

static void measure_shaders(glnn_context *ctx)
{
    ctx->max_framebuffer_side = ctx->info.max_texture_size;
    ctx->max_shader_outputs = ctx->info.max_draw_buffers;
    ctx->texture_units = glnn__gl_integer(GL_MAX_TEXTURE_IMAGE_UNITS);
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_IMAGE_UNITS))
        return;
    ctx->max_framebuffer_side = glnn__least(glnn__gl_integer(GL_MAX_FRAMEBUFFER_WIDTH),
                                            glnn__gl_integer(GL_MAX_FRAMEBUFFER_HEIGHT));
    ctx->max_shader_outputs = glnn__gl_integer(GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES);
    ctx->texture_units =
        glnn__least(ctx->texture_units, glnn__gl_integer(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS));
    ctx->compute_images = ctx->has_compute ? glnn__gl_integer(GL_MAX_COMPUTE_IMAGE_UNIFORMS) : 0;
}

glnn_status glnn__gl_measure(glnn_context *ctx)
{
    glnn_context_info *info = &ctx->info;
    GLNN__TRY(copy_names(ctx));
    info->max_texture_size = glnn__gl_integer(GL_MAX_TEXTURE_SIZE);
    info->max_array_layers = glnn__gl_integer(GL_MAX_ARRAY_TEXTURE_LAYERS);
    info->max_draw_buffers = glnn__gl_integer(GL_MAX_DRAW_BUFFERS);
    GLNN__TRY(glnn__gl_choose_tier(ctx));
    GLNN__TRY(require(ctx, "GL_MAX_DRAW_BUFFERS", info->max_draw_buffers, info->render_targets));
    GLNN__TRY(require(ctx, "GL_MAX_COLOR_ATTACHMENTS", glnn__gl_integer(GL_MAX_COLOR_ATTACHMENTS),
                      info->render_targets));
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0) | GLNN__PART_FRAMEBUFFERS));
    GLNN__TRY(require_target(ctx, GL_R32F, 1, "an R32F texture"));
    GLNN__TRY(require_target(ctx, GL_RGBA32F, 1, "an RGBA32F texture"));
    GLNN__TRY(require_target(ctx, GL_RGBA32F, info->render_targets,
                             info->render_targets == 8
                                 ? "eight layers of an RGBA32F array texture at once"
                                 : "four layers of an RGBA32F array texture at once"));
    measure_shaders(ctx);
    info->software = glnn__gl_is_software(info->renderer);
    ctx->avoids_powers_of_two = info->software;
    info->texture_budget = ctx->desc.texture_budget
                               ? ctx->desc.texture_budget
                               : glnn__gl_default_budget(info->software, glnn__gl_reported_memory(),
                                                         glnn__memory_size());
    ctx->checks_indices = info->api == GLNN_API_WEBGL;
    ctx->is_remote = info->api == GLNN_API_WEBGL || has_words(info->renderer, "virgl");
    ctx->pass_limit_ms = choose_pass_limit(ctx);
    info->timer_queries = has_timer_queries(ctx);
    info->quad_exchange = ctx->has_images && has_quad_exchange();
    return glnn__gl_check(ctx, "asking for the limits of %s", info->renderer);
}
