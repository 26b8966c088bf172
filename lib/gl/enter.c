#include "base/log.h"
#include "base/status.h"
#include "gl/debug.h"
#include "gl/fences.h"
#include "gl/gl.h"
#include "gl/host.h"
#include "gl/platform.h"

void glnn__gl_forgive(const glnn_context *ctx)
{
    const GLenum flag = ctx->platform->adopted ? glnn__gl_take_flag() : GL_NO_ERROR;
    if (flag != GL_NO_ERROR)
        glnn__log(GLNN_LOG_WARNING,
                  "an OpenGL error was pending in the adopted context before the call: %s",
                  glnn__gl_error_name(flag));
}

static glnn_status take_adopted(glnn_context *ctx)
{
    glnn__gl_forgive(ctx);
    GLNN__TRY(glnn__host_check(ctx));
    GLNN__TRY(glnn__state_save(ctx));
    glnn__gl_set_defaults(ctx);
    ++ctx->bindings_age;
    return GLNN_OK;
}

/* Takes the context over from the caller, in the outermost call. */
static glnn_status take(glnn_context *ctx)
{
    if (!glnn__platform_is_current(ctx)) {
        GLNN__TRY(ctx->platform->make_current(&ctx->native));
        ++ctx->bindings_age;
    }
    return ctx->platform->adopted ? take_adopted(ctx) : GLNN_OK;
}

/* State is only restored in the context that it was saved from. */
static glnn_status give_adopted(glnn_context *ctx, glnn_status status)
{
    if (!glnn__platform_is_current(ctx))
        return status ? status
                      : glnn__fail(GLNN_E_STATE,
                                   "the adopted OpenGL context was not current at the end of the "
                                   "call, so its state could not be restored");
    GLenum flag = glnn__gl_take_flag();
    glnn__fences_before_host(ctx);
    glnn__state_restore(ctx);
    if (status != GLNN_OK || flag == GL_NO_ERROR)
        return status;
    return glnn__fail(GLNN_E_GL, "OpenGL reported %s in the adopted context",
                      glnn__gl_error_name(flag));
}

static glnn_status give_own(glnn_context *ctx, glnn_status status)
{
    char report[sizeof ctx->gl_error];
    glnn__debug_take_error(ctx, report, sizeof report);
    if (status != GLNN_OK || !report[0])
        return status;
    return glnn__fail(GLNN_E_GL, "OpenGL reported an error: %s", report);
}

/* Gives the context back to the caller. */
static glnn_status give(glnn_context *ctx, glnn_status status)
{
    return ctx->platform->adopted ? give_adopted(ctx, status) : give_own(ctx, status);
}

static glnn_status fail_destroyed(const char *call)
{
    return glnn__fail_in(call, glnn__fail(GLNN_E_STATE, "the context was destroyed"));
}

glnn_status glnn__gl_enter_for(glnn_context *ctx, const char *call)
{
    if (ctx->is_destroyed)
        return fail_destroyed(call);
    if (ctx->depth > 0 && ctx->lost)
        return ctx->lost;
    if (ctx->depth == 0) {
        GLNN__TRY(glnn__fail_in(call, take(ctx)));
        ctx->label = (glnn__label){.call = call};
    }
    ++ctx->depth;
    return GLNN_OK;
}

glnn_status glnn__gl_leave(glnn_context *ctx, glnn_status status)
{
    if (--ctx->depth > 0)
        return status;
    if (!ctx->lost)
        return glnn__fail_in(ctx->label.call, give(ctx, status));
    status = status ? status : ctx->lost;
    ctx->lost = GLNN_OK;
    return glnn__fail_in(ctx->label.call, status);
}

glnn_status glnn__gl_suspend(glnn_context *ctx, glnn__suspended *call)
{
    *call = (glnn__suspended){ctx->depth, ctx->label};
    ctx->depth = 0;
    return give(ctx, GLNN_OK);
}

glnn_status glnn__gl_resume(glnn_context *ctx, const glnn__suspended *call)
{
    ctx->lost = ctx->is_destroyed ? fail_destroyed(call->label.call) : take(ctx);
    ctx->depth = call->depth;
    ctx->label = call->label;
    return ctx->lost;
}

glnn__label glnn__label_part(glnn_context *ctx, const char *part)
{
    return glnn__label_layer(ctx, -1, part);
}

glnn__label glnn__label_layer(glnn_context *ctx, int layer, const char *part)
{
    const glnn__label former = ctx->label;
    ctx->label.part = part;
    ctx->label.layer = layer + 1;
    return former;
}

glnn_status glnn__label_end(glnn_context *ctx, glnn__label former, glnn_status status)
{
    ctx->label = former;
    return status;
}

void glnn__gl_wait(glnn_context *ctx)
{
    glFinish();
    ++ctx->counters.waits;
}
