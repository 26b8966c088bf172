#include "base/log.h"
#include "base/status.h"
#include "gl/debug.h"
#include "gl/gl.h"
#include "gl/platform.h"
#include "gl/state.h"

static glnn_status enter_adopted(glnn_context *ctx)
{
    GLenum flag = glnn__gl_take_flag();
    if (flag != GL_NO_ERROR)
        glnn__log(GLNN_LOG_WARNING,
                  "an OpenGL error was pending in the adopted context before the call: %s",
                  glnn__gl_error_name(flag));
    GLNN__TRY(glnn__state_save(ctx));
    glnn__gl_set_defaults(ctx);
    ++ctx->bindings_age;
    return GLNN_OK;
}

glnn_status glnn__gl_enter(glnn_context *ctx)
{
    if (ctx->depth == 0) {
        if (!ctx->platform->is_current(ctx)) {
            GLNN__TRY(ctx->platform->make_current(ctx));
            ++ctx->bindings_age;
        }
        if (ctx->platform->adopted)
            GLNN__TRY(enter_adopted(ctx));
    }
    ++ctx->depth;
    return GLNN_OK;
}

static glnn_status leave_adopted(glnn_context *ctx, glnn_status status)
{
    GLenum flag = glnn__gl_take_flag();
    glnn__state_restore(ctx);
    if (status != GLNN_OK || flag == GL_NO_ERROR)
        return status;
    return glnn__fail(GLNN_E_GL, "OpenGL reported %s in the adopted context",
                      glnn__gl_error_name(flag));
}

static glnn_status leave_own(glnn_context *ctx, glnn_status status)
{
    char report[sizeof ctx->gl_error];
    glnn__debug_take_error(ctx, report, sizeof report);
    if (status != GLNN_OK || !report[0])
        return status;
    return glnn__fail(GLNN_E_GL, "OpenGL reported an error: %s", report);
}

glnn_status glnn__gl_leave(glnn_context *ctx, glnn_status status)
{
    if (--ctx->depth > 0)
        return status;
    return ctx->platform->adopted ? leave_adopted(ctx, status) : leave_own(ctx, status);
}

void glnn__gl_wait(glnn_context *ctx)
{
    glFinish();
    ++ctx->counters.waits;
}
