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
    static glnn__mutex mutex = GLNN__MUTEX;
    static bool loaded;
    glnn__mutex_lock(&mutex);
    glnn_status status = loaded ? GLNN_OK : run_glew(names);
    loaded = status == GLNN_OK;
    glnn__mutex_unlock(&mutex);
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
