#include "gl/interval.h"

#include "base/clock.h"
#include "gl/fences.h"

#include <math.h>

static bool has_clock(const glnn_context *ctx)
{
    GLint bits = 0;
    if (glnn__gl_offers(ctx, GLNN__OFFERS_CLOCK))
        glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    return bits > 0;
}

/* Queries of the time are allowed during all queries that a host can have. On llvmpipe a query is
 * part of a scene, whose fence has to be kept like those of draws. */
static void stamp(glnn_context *ctx, GLuint query)
{
    glnn__fences_before_draw(ctx);
    glQueryCounter(query, GL_TIMESTAMP);
    glnn__fences_before_host(ctx);
}

void glnn__interval_begin(glnn_context *ctx, glnn__interval *interval)
{
    *interval = (glnn__interval){.started = glnn__clock_seconds()};
    if (!has_clock(ctx))
        return;
    glGenQueries(2, interval->stamps);
    stamp(ctx, interval->stamps[0]);
    glFlush(); /* or the clock is read only when the driver's buffer of commands is full */
}

void glnn__interval_end(glnn_context *ctx, glnn__interval *interval)
{
    if (interval->stamps[1])
        stamp(ctx, interval->stamps[1]);
    interval->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

bool glnn__interval_has_passed(const glnn__interval *interval)
{
    GLint state = GL_UNSIGNALED;
    glGetSynciv(interval->fence, GL_SYNC_STATUS, 1, NULL, &state);
    return state == GL_SIGNALED;
}

/* Some drivers answer nonsense, so no result is longer than the wall clock allows. */
double glnn__interval_take(glnn__interval *interval)
{
    const double most = glnn__clock_seconds() - interval->started;
    GLuint64 times[2] = {0, 0};
    for (int i = 0; i < 2 && interval->stamps[i]; ++i)
        glGetQueryObjectui64v(interval->stamps[i], GL_QUERY_RESULT, &times[i]);
    glnn__interval_drop(interval);
    return times[1] > times[0] ? fmin(1e-9 * (double)(times[1] - times[0]), most) : 0;
}

void glnn__interval_drop(glnn__interval *interval)
{
    if (interval->stamps[0])
        glDeleteQueries(2, interval->stamps);
    glDeleteSync(interval->fence);
    *interval = (glnn__interval){0};
}
