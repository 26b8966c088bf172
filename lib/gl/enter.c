#include "base/log.h"
#include "base/status.h"
#include "gl/debug.h"
#include "gl/fences.h"
#include "gl/gl.h"
#include "gl/host.h"
#include "gl/lifetime.h"
#include "gl/platform.h"

void glnn__gl_forgive(const glnn_context *ctx)
{
    const GLenum flag = ctx->platform->adopted ? glnn__gl_take_flag() : GL_NO_ERROR;
    if (flag != GL_NO_ERROR)
        glnn__log(GLNN_LOG_WARNING,
                  "an OpenGL error was pending in the adopted context before the call: %s",
                  glnn__gl_error_name(flag));
}

/* A host that draws inside a pair uses a program of its own. */
static glnn_status check_program(const struct glnn__host *host)
{
    if (!(host->taken & GLNN__PART_PROGRAM))
        return GLNN_OK;
    const GLuint program = (GLuint)glnn__gl_integer(GL_CURRENT_PROGRAM);
    if (program == host->program)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_STATE,
        "program %u is in use in the adopted context instead of the library's program "
        "%u; OpenGL's state belongs to the library between glnn_context_begin and "
        "glnn_context_end, so call glnn_context_end before drawing",
        program, host->program);
}

/* The guest that used the context before this one has made bindings of its own. */
static void replace_latest(glnn_context *ctx)
{
    struct glnn__host *host = ctx->host;
    if (host->latest == ctx)
        return;
    if (host->latest)
        glnn__fences_before_host(host->latest);
    host->latest = ctx;
    ++ctx->bindings_age;
}

static glnn_status take_adopted(glnn_context *ctx)
{
    struct glnn__host *host = ctx->host;
    if (glnn__host_is_old(host))
        GLNN__TRY(glnn__host_check_primitive());
    if (host->holds > 0) {
        GLNN__TRY(check_program(host));
    } else {
        glnn__gl_forgive(ctx);
        GLNN__TRY(glnn__host_check(host));
    }
    replace_latest(ctx);
    ++host->holds;
    return GLNN_OK;
}

/* Takes the context over from the caller, in the outermost call. */
static glnn_status take(glnn_context *ctx)
{
    ++ctx->entries;
    if (!glnn__platform_is_current(ctx)) {
        GLNN__TRY(ctx->platform->make_current(&ctx->native));
        ++ctx->bindings_age;
    }
    if (ctx->platform->adopted)
        GLNN__TRY(take_adopted(ctx));
    if (ctx->owed)
        ctx->owed(ctx);
    return GLNN_OK;
}

/* Restores the host's state, and returns OpenGL's error flag. */
static GLenum restore(struct glnn__host *host)
{
    const GLenum flag = glnn__gl_take_flag();
    glnn__fences_before_host(host->latest);
    if (host->owes_barrier)
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    host->owes_barrier = false;
    glnn__host_give(host);
    return flag;
}

/* State is only restored in the context that it was saved from. */
static glnn_status give_adopted(glnn_context *ctx, glnn_status status)
{
    struct glnn__host *host = ctx->host;
    const bool is_current = glnn__platform_is_current(ctx);
    const bool is_last = --host->holds == 0;
    const GLenum flag = is_last && is_current ? restore(host) : GL_NO_ERROR;
    if (is_last) {
        host->taken = host->noted = host->sampled = 0;
        host->latest = NULL;
    }
    if (status)
        return status;
    if (!is_current)
        return glnn__fail(GLNN_E_STATE,
                          "the adopted OpenGL context was not current at the end of the call, so "
                          "its state could not be restored");
    return flag == GL_NO_ERROR ? GLNN_OK
                               : glnn__fail(GLNN_E_GL, "OpenGL reported %s in the adopted context",
                                            glnn__gl_error_name(flag));
}

/* A call that fails takes the flags that it leaves with it: a later call must not report them. */
static glnn_status give_own(glnn_context *ctx, glnn_status status)
{
    char report[sizeof ctx->gl_error];
    glnn__debug_take_error(ctx, report, sizeof report);
    if (status != GLNN_OK)
        glnn__gl_take_flag();
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

glnn_status glnn__gl_enter_recording_for(glnn_context *ctx, const char *call)
{
    if (ctx->is_destroyed)
        return fail_destroyed(call);
    if (ctx->depth > 0 && ctx->lost)
        return ctx->lost;
    if (ctx->is_device_lost)
        return glnn__fail_in(call, glnn__gl_check_loss(ctx));
    if (ctx->depth == 0) {
        GLNN__TRY(glnn__fail_in(call, take(ctx)));
        ctx->label = (glnn__label){.call = call};
    }
    ++ctx->depth;
    return GLNN_OK;
}

glnn_status glnn__gl_enter_for(glnn_context *ctx, const char *call)
{
    if (ctx->depth == 0 && ctx->is_recording)
        return glnn__fail_in(call, glnn__fail(GLNN_E_STATE,
                                              "a list is being recorded, and until glnn_list_end "
                                              "only operations on matrices can be called"));
    return glnn__gl_enter_recording_for(ctx, call);
}

glnn_status glnn__gl_leave(glnn_context *ctx, glnn_status status)
{
    if (--ctx->depth > 0)
        return status;
    /* A lost device can be the reason of any failure. */
    if (status && glnn__platform_is_current(ctx) && glnn__gl_check_loss(ctx))
        status = GLNN_E_DEVICE_LOST;
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

bool glnn__gl_can_delete(const glnn_context *ctx)
{
    return glnn__platform_is_current(ctx) &&
           (!ctx->host || !glnn__host_is_old(ctx->host) || !glnn__host_is_in_primitive());
}

glnn_status glnn__gl_claim(glnn_context *ctx, glnn__state_parts parts)
{
    struct glnn__host *host = ctx->host;
    return host && (parts & ~host->taken) ? glnn__host_take(host, parts) : GLNN_OK;
}

glnn_status glnn__gl_can_claim(glnn_context *ctx, glnn__state_parts parts)
{
    struct glnn__host *host = ctx->host;
    return host && (parts & ~host->noted) ? glnn__host_note(host, parts) : GLNN_OK;
}

void glnn__gl_show_stores(glnn_context *ctx)
{
    if (ctx->host)
        ctx->host->owes_barrier = true;
    else
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

void glnn__gl_use_program(glnn_context *ctx, GLuint program)
{
    glUseProgram(program);
    if (ctx->host)
        ctx->host->program = program;
}

void glnn__gl_bind_sampler(glnn_context *ctx, int unit, GLuint sampler)
{
    glBindSampler((GLuint)unit, sampler);
    if (ctx->host && sampler)
        ctx->host->sampled |= GLNN__PART_UNIT(unit);
}

glnn_status glnn_context_begin(glnn_context *ctx)
{
    GLNN__CONTEXT(ctx);
    GLNN__TRY(glnn__gl_enter(ctx));
    ++ctx->pairs;
    if (ctx->host)
        ++ctx->host->holds;
    return glnn__gl_leave(ctx, GLNN_OK);
}

/* Within a pair, errors of the host cannot be told apart. */
static glnn_status give_pair(glnn_context *ctx)
{
    const glnn_status status = give_adopted(ctx, GLNN_OK);
    if (status != GLNN_E_GL)
        return status;
    return glnn__fail(status,
                      "%s between glnn_context_begin and glnn_context_end; a command of the host "
                      "inside the pair may have caused it",
                      glnn_last_error());
}

glnn_status glnn_context_end(glnn_context *ctx)
{
    GLNN__CONTEXT(ctx);
    if (ctx->pairs == 0)
        return glnn__fail(GLNN_E_STATE, "%s: no pair is open; call glnn_context_begin first",
                          __func__);
    if (!ctx->host) {
        --ctx->pairs;
        return GLNN_OK;
    }
    if (!glnn__platform_is_current(ctx))
        return glnn__fail_in(__func__, ctx->platform->make_current(&ctx->native));
    if (glnn__host_is_old(ctx->host))
        GLNN__TRY(glnn__fail_in(__func__, glnn__host_check_primitive()));
    --ctx->pairs;
    replace_latest(ctx);
    return glnn__fail_in(__func__, give_pair(ctx));
}

void glnn__gl_close_pairs(glnn_context *ctx)
{
    if (ctx->pairs == 0 || !ctx->host)
        return;
    ctx->host->holds -= ctx->pairs - 1;
    ctx->pairs = 0;
    if (give_pair(ctx) == GLNN_E_GL)
        glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: %s", glnn_last_error());
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
