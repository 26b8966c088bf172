#include "base/clock.h"
#include "base/log.h"
#include "gl/gl.h"
#include "gl/platform.h"

/* Milliseconds: the shortest wait with which a query is compared, and the longest that waiting for
 * an idle GPU takes. */
static const double shortest_evidence = 1.0;
static const double overhead = 0.3;

/* Milliseconds. A shorter result is wrong: some drivers answer 0 if the work was done before the
 * query ended. */
static const double shortest_work = 1e-3;

static double milliseconds_since(double seconds)
{
    return 1e3 * (glnn__clock_seconds() - seconds);
}

static bool may_query(const glnn_context *ctx)
{
    if (!ctx->info.timer_queries)
        return false;
    GLint active = 0;
    /* Queries of one kind do not nest, and the host of an adopted context can have one. */
    if (ctx->platform->adopted)
        glGetQueryiv(GL_TIME_ELAPSED, GL_CURRENT_QUERY, &active);
    return active == 0;
}

void glnn__timer_begin(glnn_context *ctx, glnn__timer *timer)
{
    glnn__gl_wait(ctx);
    timer->query = 0;
    if (may_query(ctx)) {
        glGenQueries(1, &timer->query);
        glBeginQuery(GL_TIME_ELAPSED, timer->query);
    }
    timer->started = glnn__clock_seconds();
}

static double take_result(glnn__timer *timer)
{
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(timer->query, GL_QUERY_RESULT, &nanoseconds);
    glDeleteQueries(1, &timer->query);
    timer->query = 0;
    return 1e-6 * (double)nanoseconds;
}

double glnn__timer_end(glnn_context *ctx, glnn__timer *timer)
{
    if (timer->query)
        glEndQuery(GL_TIME_ELAPSED);
    /* The time until here includes submission and compilation. The query is compared with the wait
     * alone; without a query the result is both. */
    double ordered = glnn__clock_seconds();
    glnn__gl_wait(ctx);
    double waited = milliseconds_since(ordered);
    double elapsed = milliseconds_since(timer->started);
    if (!timer->query)
        return elapsed;
    double queried = take_result(timer);
    const bool fits_wait = waited <= shortest_evidence || queried >= (waited - overhead) / 4;
    if (queried >= shortest_work && fits_wait)
        return queried;
    ctx->info.timer_queries = false;
    glnn__log(GLNN_LOG_INFO,
              "the timer queries of %s are wrong (a pass of %.3f ms, with a wait of %.3f ms, took "
              "%.3f ms by the query); passes are timed by the wall clock",
              ctx->info.renderer, elapsed, waited, queried);
    return elapsed;
}
