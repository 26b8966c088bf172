/* The driver of a context outside of browsers: its names, and its commands through GLEW. */
#include "base/status.h"
#include "base/thread.h"
#include "gl/current.h"
#include "gl/gl.h"
#include "gl/limits.h"

static const char *text_of(GLenum name)
{
    const char *text = (const char *)glGetString(name);
    return text ? text : "";
}

glnn__gl_names glnn__gl_get_names(void)
{
    return (glnn__gl_names){text_of(GL_VENDOR), text_of(GL_RENDERER), text_of(GL_VERSION)};
}

bool glnn__gl_tells_resets(glnn_api api)
{
    const int version =
        10 * glnn__gl_integer(GL_MAJOR_VERSION) + glnn__gl_integer(GL_MINOR_VERSION);
    return glGetGraphicsResetStatus &&
           (api != GLNN_API_GL ? version >= 32
                               : version >= 45 || glnn__gl_has_extension("GL_KHR_robustness"));
}

bool glnn__gl_was_reset(void)
{
    return glGetGraphicsResetStatus() != GL_NO_ERROR;
}

/* The first entry point that the library needs and GLEW has not found, or NULL. */
static const char *missing_function(glnn_api api)
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
        {"glProgramBinary", glProgramBinary != NULL},
        {"glTexStorage3D", glTexStorage3D != NULL},
        /* OpenGL ES lacks those that follow. */
        {"glBlendFuncSeparatei", glBlendFuncSeparatei != NULL},
        {"glViewportArrayv", glViewportArrayv != NULL},
        {"glTextureView", glTextureView != NULL},
        {"glCopyImageSubData", glCopyImageSubData != NULL},
        {"glDebugMessageCallback", glDebugMessageCallback != NULL},
    };
    enum { IN_BOTH = 9 };
    const size_t count = api == GLNN_API_GL ? sizeof needed / sizeof *needed : IN_BOTH;
    for (size_t i = 0; i < count; ++i) {
        if (!needed[i].found)
            return needed[i].name;
    }
    return NULL;
}

/* After it has loaded OpenGL, GLEW looks for extensions of GLX. It fails if there is no display, as
 * with EGL. */
static bool is_harmless(GLenum error)
{
    return error == GLEW_OK || (error == GLEW_ERROR_NO_GLX_DISPLAY && glnn__current_get().egl);
}

static glnn_status run_glew(const glnn__gl_names *names, glnn_api api)
{
    /* Core profiles need this setting. It belongs to the whole process, so it is restored. */
    GLboolean experimental = glewExperimental;
    glewExperimental = GL_TRUE;
    GLenum error = glewInit();
    glewExperimental = experimental;
    if (!is_harmless(error))
        return glnn__fail(GLNN_E_UNSUPPORTED, "GLEW cannot load OpenGL %s of %s: %s",
                          glnn__gl_version_words(names->version), names->renderer,
                          glewGetErrorString(error));
    const char *missing = missing_function(api);
    if (missing)
        return glnn__fail(GLNN_E_UNSUPPORTED, "%s with OpenGL %s lacks the function %s",
                          names->renderer, glnn__gl_version_words(names->version), missing);
    return GLNN_OK;
}

/* GLEW's pointers belong to the whole process. They are written once, so that no thread reads them
 * while another one that creates a context writes them. They are functions of libglvnd or of Mesa
 * that call the current context, so those that a context of OpenGL ES has loaded serve contexts of
 * OpenGL too, and the other way round. */
glnn_status glnn__gl_load_commands(const glnn__gl_names *names, glnn_api api)
{
    static glnn__mutex mutex = GLNN__MUTEX;
    static bool loaded;
    glnn__mutex_lock(&mutex);
    glnn_status status = loaded ? GLNN_OK : run_glew(names, api);
    loaded = status == GLNN_OK;
    glnn__mutex_unlock(&mutex);
    return status;
}
