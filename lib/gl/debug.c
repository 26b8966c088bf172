#include "gl/debug.h"

#include "base/log.h"
#include "base/status.h"
#include "base/thread.h"
#include "gl/limits.h"

#include <stdarg.h>
#include <stdio.h>

/* Drivers can report from their own threads. */
static glnn__mutex error_mutex = GLNN__MUTEX;

static void keep_first_error(glnn_context *ctx, const char *message)
{
    glnn__mutex_lock(&error_mutex);
    if (!ctx->gl_error[0])
        snprintf(ctx->gl_error, sizeof ctx->gl_error, "%s", message);
    glnn__mutex_unlock(&error_mutex);
}

void glnn__debug_take_error(glnn_context *ctx, char *text, size_t size)
{
    text[0] = '\0';
    glnn__mutex_lock(&error_mutex);
    /* Each call of the library comes here, and formatting takes longer than all else. */
    if (ctx->gl_error[0])
        snprintf(text, size, "%s", ctx->gl_error);
    ctx->gl_error[0] = '\0';
    glnn__mutex_unlock(&error_mutex);
}

static void GLAPIENTRY receive(GLenum source, GLenum type, GLuint id, GLenum severity,
                               GLsizei length, const GLchar *message, const void *user)
{
    (void)id;
    (void)length;
    /* Errors of the shader compiler are reported by the compilation itself, with file and line. */
    bool failed = type == GL_DEBUG_TYPE_ERROR && source != GL_DEBUG_SOURCE_SHADER_COMPILER &&
                  (severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM);
    if (failed)
        keep_first_error((glnn_context *)user, message);
    glnn__log(failed ? GLNN_LOG_ERROR : GLNN_LOG_INFO, "OpenGL: %s", message);
}

void glnn__debug_start(glnn_context *ctx)
{
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_DEBUG_OUTPUT))
        return;
    glDebugMessageCallback(receive, ctx);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, NULL,
                          GL_FALSE);
    glEnable(GL_DEBUG_OUTPUT);
    if (ctx->desc.debug)
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
}

const char *glnn__gl_error_name(GLenum error)
{
    static const char *const names[] = {
        "GL_INVALID_ENUM",
        "GL_INVALID_VALUE",
        "GL_INVALID_OPERATION",
        "GL_STACK_OVERFLOW",
        "GL_STACK_UNDERFLOW",
        "GL_OUT_OF_MEMORY",
        "GL_INVALID_FRAMEBUFFER_OPERATION",
        "GL_CONTEXT_LOST",
    };
    const bool is_known = error >= GL_INVALID_ENUM && error <= GL_CONTEXT_LOST;
    return is_known ? names[error - GL_INVALID_ENUM] : "unknown";
}

GLenum glnn__gl_take_flag(void)
{
    /* A lost context sets its flag again after each call, so the loop needs a limit. */
    enum { MOST_FLAGS = 16 };
    GLenum first = glGetError();
    for (int i = 0; first != GL_NO_ERROR && i < MOST_FLAGS && glGetError() != GL_NO_ERROR; ++i)
        continue;
    return first;
}

glnn_status glnn__gl_check_loss(glnn_context *ctx)
{
    ctx->is_device_lost = ctx->is_device_lost || (ctx->tells_resets && glnn__gl_was_reset());
    return ctx->is_device_lost
               ? glnn__fail(GLNN_E_DEVICE_LOST,
                            "the driver has reset the device %s, or it was removed: all matrices "
                            "of the context are lost; destroy it and create another one",
                            ctx->info.renderer)
               : GLNN_OK;
}

glnn_status glnn__gl_check(glnn_context *ctx, const char *doing, ...)
{
    char report[sizeof ctx->gl_error];
    GLenum flag = glnn__gl_take_flag();
    glnn__debug_take_error(ctx, report, sizeof report);
    ctx->is_device_lost = ctx->is_device_lost || flag == GL_CONTEXT_LOST;
    GLNN__TRY(glnn__gl_check_loss(ctx));
    if (flag == GL_NO_ERROR && !report[0])
        return GLNN_OK;
    char activity[512];
    va_list arguments;
    va_start(arguments, doing);
    vsnprintf(activity, sizeof activity, doing, arguments);
    va_end(arguments);
    return glnn__fail(flag == GL_OUT_OF_MEMORY ? GLNN_E_NOMEM : GLNN_E_GL,
                      "OpenGL error%s%s while %s%s%s", flag != GL_NO_ERROR ? " " : "",
                      flag != GL_NO_ERROR ? glnn__gl_error_name(flag) : "", activity,
                      report[0] ? ": " : "", report);
}
