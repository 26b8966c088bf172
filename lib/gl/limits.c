#include "gl/limits.h"

#include "base/integers.h"
#include "base/memory.h"
#include "base/status.h"
#include "gl/gl.h"

#include <EGL/egl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- Loading OpenGL */

static const char *text_of(GLenum name)
{
    const char *text = (const char *)glGetString(name);
    return text ? text : "";
}

glnn__gl_names glnn__gl_get_names(void)
{
    return (glnn__gl_names){text_of(GL_VENDOR), text_of(GL_RENDERER), text_of(GL_VERSION)};
}

bool glnn__gl_version_suffices(const char *version)
{
    /* OpenGL ES puts words before the number. */
    int major = 0;
    int minor = 0;
    return sscanf(version, "%d.%d", &major, &minor) == 2 &&
           (major > 4 || (major == 4 && minor >= 3));
}

/* The first entry point that the library needs and GLEW has not found, or NULL. */
static const char *missing_function(void)
{
    const struct {
        const char *name;
        bool found;
    } needed[] = {
        {"glGetStringi", glGetStringi != NULL},
        {"glBindVertexArray", glBindVertexArray != NULL},
        {"glFramebufferTextureLayer", glFramebufferTextureLayer != NULL},
        {"glClearBufferfv", glClearBufferfv != NULL},
        {"glFenceSync", glFenceSync != NULL},
        {"glBindSampler", glBindSampler != NULL},
        {"glGetQueryObjectui64v", glGetQueryObjectui64v != NULL},
        {"glBlendFuncSeparatei", glBlendFuncSeparatei != NULL},
        {"glViewportArrayv", glViewportArrayv != NULL},
        {"glProgramBinary", glProgramBinary != NULL},
        {"glTexStorage3D", glTexStorage3D != NULL},
        {"glTextureView", glTextureView != NULL},
        {"glInvalidateTexImage", glInvalidateTexImage != NULL},
        {"glCopyImageSubData", glCopyImageSubData != NULL},
        {"glDebugMessageCallback", glDebugMessageCallback != NULL},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) {
        if (!needed[i].found)
            return needed[i].name;
    }
    return NULL;
}

/* After it has loaded OpenGL, GLEW looks for extensions of GLX. It fails if there is no display, as
 * with EGL. */
static bool is_harmless(GLenum error)
{
    return error == GLEW_OK ||
           (error == GLEW_ERROR_NO_GLX_DISPLAY && eglGetCurrentContext() != EGL_NO_CONTEXT);
}

static glnn_status run_glew(const glnn__gl_names *names)
{
    /* Core profiles need this setting. It belongs to the whole process, so it is restored. */
    GLboolean experimental = glewExperimental;
    glewExperimental = GL_TRUE;
    GLenum error = glewInit();
    glewExperimental = experimental;
    if (!is_harmless(error))
        return glnn__fail(GLNN_E_UNSUPPORTED, "GLEW cannot load OpenGL %s of %s: %s",
                          names->version, names->renderer, glewGetErrorString(error));
    const char *missing = missing_function();
    if (missing)
        return glnn__fail(GLNN_E_UNSUPPORTED, "%s with OpenGL %s lacks the function %s",
                          names->renderer, names->version, missing);
    return GLNN_OK;
}

/* GLEW's pointers belong to the whole process. They are written once, so that no thread reads them
 * while another one that creates a context writes them. */
static glnn_status load_once(const glnn__gl_names *names)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded;
    pthread_mutex_lock(&mutex);
    glnn_status status = loaded ? GLNN_OK : run_glew(names);
    loaded = status == GLNN_OK;
    pthread_mutex_unlock(&mutex);
    return status;
}

glnn_status glnn__gl_load(void)
{
    glnn__gl_names names = glnn__gl_get_names();
    if (!glnn__gl_version_suffices(names.version))
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "OpenGL 4.3 core profile or later is required, but %s offers \"%s\"",
                          *names.renderer ? names.renderer : "a renderer without a name",
                          names.version);
    return load_once(&names);
}

bool glnn__gl_has_extension(const char *extension)
{
    const GLint count = glnn__gl_integer(GL_NUM_EXTENSIONS);
    for (GLint i = 0; i < count; ++i) {
        const char *name = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
        if (name && strcmp(name, extension) == 0)
            return true;
    }
    return false;
}

/* ---- Limits */
enum { REQUIRED_TARGETS = 8 };

/* The texture budget if neither the driver nor the system reports the size of the memory. */
#define LEAST_BUDGET ((size_t)1 << 29)

static glnn_status require(const glnn_context *ctx, const char *name, GLint value, GLint least)
{
    if (value >= least)
        return GLNN_OK;
    return glnn__fail(GLNN_E_UNSUPPORTED, "%s with OpenGL %s has a %s of %d; the library needs %d",
                      ctx->info.renderer, ctx->info.version, name, value, least);
}

/* Creates a small array texture, attaches each layer, and asks whether it can be drawn into. */
static bool can_draw_into(GLenum format, int layers)
{
    enum { SIZE = 4 };
    GLuint texture = 0, framebuffer = 0;
    GLenum attachments[REQUIRED_TARGETS];
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

static glnn_status require_target(const glnn_context *ctx, GLenum format, int layers,
                                  const char *words)
{
    if (can_draw_into(format, layers))
        return GLNN_OK;
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "%s with OpenGL %s cannot draw into %s, which the library needs",
                      ctx->info.renderer, ctx->info.version, words);
}

/* Bytes of the device's own memory as the driver reports them; 0 if it does not. */
static double reported_memory(void)
{
    GLint kilobytes[4] = {0}; /* AMD's query writes four numbers; the first is the total */
    if (glnn__gl_has_extension("GL_NVX_gpu_memory_info"))
        glGetIntegerv(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, kilobytes);
    else if (glnn__gl_has_extension("GL_ATI_meminfo"))
        glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, kilobytes);
    return kilobytes[0] > 0 ? 1024.0 * kilobytes[0] : 0;
}

static bool has_timer_queries(void)
{
    GLint bits = 0;
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
    const size_t length = strlen(words);
    for (; strlen(text) >= length; ++text)
        if (strncasecmp(text, words, length) == 0)
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
    ctx->info.vendor = strdup(names.vendor);
    ctx->info.renderer = strdup(names.renderer);
    ctx->info.version = strdup(names.version);
    if (!ctx->info.vendor || !ctx->info.renderer || !ctx->info.version)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the name of the OpenGL renderer");
    return GLNN_OK;
}

glnn_status glnn__gl_measure(glnn_context *ctx)
{
    glnn_context_info *info = &ctx->info;
    GLNN__TRY(copy_names(ctx));
    info->max_texture_size = glnn__gl_integer(GL_MAX_TEXTURE_SIZE);
    info->max_array_layers = glnn__gl_integer(GL_MAX_ARRAY_TEXTURE_LAYERS);
    info->max_draw_buffers = glnn__gl_integer(GL_MAX_DRAW_BUFFERS);
    GLNN__TRY(require(ctx, "GL_MAX_DRAW_BUFFERS", info->max_draw_buffers, REQUIRED_TARGETS));
    GLNN__TRY(require(ctx, "GL_MAX_COLOR_ATTACHMENTS", glnn__gl_integer(GL_MAX_COLOR_ATTACHMENTS),
                      REQUIRED_TARGETS));
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PART_UNIT(0) | GLNN__PART_FRAMEBUFFERS));
    GLNN__TRY(require_target(ctx, GL_R32F, 1, "an R32F texture"));
    GLNN__TRY(require_target(ctx, GL_RGBA32F, 1, "an RGBA32F texture"));
    GLNN__TRY(require_target(ctx, GL_RGBA32F, REQUIRED_TARGETS,
                             "eight layers of an RGBA32F array texture at once"));
    ctx->max_framebuffer_side = glnn__least(glnn__gl_integer(GL_MAX_FRAMEBUFFER_WIDTH),
                                            glnn__gl_integer(GL_MAX_FRAMEBUFFER_HEIGHT));
    ctx->max_shader_outputs = glnn__gl_integer(GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES);
    ctx->texture_units = glnn__least(glnn__gl_integer(GL_MAX_TEXTURE_IMAGE_UNITS),
                                     glnn__gl_integer(GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS));
    info->software = glnn__gl_is_software(info->renderer);
    info->texture_budget =
        ctx->desc.texture_budget
            ? ctx->desc.texture_budget
            : glnn__gl_default_budget(info->software, reported_memory(), glnn__memory_size());
    ctx->is_remote = has_words(info->renderer, "virgl");
    ctx->pass_limit_ms = choose_pass_limit(ctx);
    info->timer_queries = has_timer_queries();
    info->quad_exchange = has_quad_exchange();
    return glnn__gl_check(ctx, "asking for the limits of %s", info->renderer);
}
