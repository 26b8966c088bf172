#include "base/status.h"
#include "base/thread.h"
#include "gl/current.h"
#include "gl/gl.h"
#include "gl/limits.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(GLenum name)
{
    const char *text = (const char *)glGetString(name);
    return text ? text : "";
}

glnn__gl_names glnn__gl_get_names(void)
{
    return (glnn__gl_names){text_of(GL_VENDOR), text_of(GL_RENDERER), text_of(GL_VERSION)};
}

/* Begins the version of OpenGL ES. The first versions add a profile to it. */
static const char es_words[] = "OpenGL ES";

glnn_api glnn__gl_api(const char *version)
{
    return strncmp(version, es_words, strlen(es_words)) == 0 ? GLNN_API_ES : GLNN_API_GL;
}

const char *glnn__gl_version_words(const char *version)
{
    return glnn__gl_api(version) == GLNN_API_ES ? version + strlen("OpenGL ") : version;
}

bool glnn__gl_version_suffices(const char *version)
{
    const bool is_es = glnn__gl_api(version) == GLNN_API_ES;
    int major = 0, minor = 0;
    if (sscanf(is_es ? version + strlen(es_words) : version, "%d.%d", &major, &minor) != 2)
        return false;
    return 10 * major + minor >= (is_es ? 31 : 43);
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
        {"glGetProgramResourceiv", glGetProgramResourceiv != NULL},
        /* OpenGL ES lacks those that follow. */
        {"glBlendFuncSeparatei", glBlendFuncSeparatei != NULL},
        {"glViewportArrayv", glViewportArrayv != NULL},
        {"glTextureView", glTextureView != NULL},
        {"glCopyImageSubData", glCopyImageSubData != NULL},
        {"glDebugMessageCallback", glDebugMessageCallback != NULL},
    };
    enum { IN_BOTH = 10 };
    const size_t count = api == GLNN_API_ES ? IN_BOTH : sizeof needed / sizeof *needed;
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

static glnn_status run_glew(const glnn__gl_names *names)
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
    const char *missing = missing_function(glnn__gl_api(names->version));
    if (missing)
        return glnn__fail(GLNN_E_UNSUPPORTED, "%s with OpenGL %s lacks the function %s",
                          names->renderer, glnn__gl_version_words(names->version), missing);
    return GLNN_OK;
}

/* GLEW's pointers belong to the whole process. They are written once, so that no thread reads them
 * while another one that creates a context writes them. They are functions of libglvnd or of Mesa
 * that call the current context, so those that a context of OpenGL ES has loaded serve contexts of
 * OpenGL too, and the other way round. */
static glnn_status load_once(const glnn__gl_names *names)
{
    static glnn__mutex mutex = GLNN__MUTEX;
    static bool loaded;
    glnn__mutex_lock(&mutex);
    glnn_status status = loaded ? GLNN_OK : run_glew(names);
    loaded = status == GLNN_OK;
    glnn__mutex_unlock(&mutex);
    return status;
}

static glnn_status load(const glnn__gl_names *names)
{
    if (!glnn__gl_version_suffices(names->version))
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "OpenGL 4.3 core profile or later, or OpenGL ES 3.1 or later, is "
                          "required, but %s offers \"%s\"",
                          *names->renderer ? names->renderer : "a renderer without a name",
                          names->version);
    return load_once(names);
}

glnn_status glnn__gl_load(glnn_context *ctx)
{
    const glnn__gl_names names = glnn__gl_get_names();
    GLNN__TRY(load(&names));
    ctx->info.api = glnn__gl_api(names.version);
    ctx->offers = glnn__gl_find_offers(ctx->info.api);
    return GLNN_OK;
}
