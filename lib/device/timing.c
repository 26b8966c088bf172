#include "device/timing.h"

#include "base/clock.h"
#include "base/cores.h"
#include "base/integers.h"
#include "base/status.h"
#include "pass/program.h"

#include <math.h>

/* Rounds continue for SPREAD seconds; there are at least LEAST_ROUNDS. */
#define SPREAD       0.15
#define LEAST_ROUNDS 4

/* Seconds: an idle GPU needs some hundredths of a second to reach its full clock rate. */
#define WAKING 0.03

/* Microseconds: shorter products get more inner indices, because the clock cannot measure them
 * exactly enough. */
#define LONG_ENOUGH_US 1e3

/* Microseconds: of a pass that takes longer only some rows of blocks are drawn. They keep a device
 * busy that is so slow, and measuring it ends after seconds. */
#define LONGEST_US 1e5

/* To find out, the number of rows grows by this factor. */
#define GROWTH 16

/* ---- The real clock */

/* Most software rasterisers work in threads of this process. Their processor time does not depend
 * on other programs. */
static bool has_threads(const glnn_context *ctx)
{
    return ctx->info.software && !ctx->is_remote;
}

static double clock_of(const glnn_context *ctx)
{
    return has_threads(ctx) ? glnn__clock_processor_seconds() : glnn__clock_seconds();
}

static glnn_status time_passes(glnn_context *ctx, const glnn__pass *pass, int count, void *user,
                               double *us)
{
    (void)user;
    const double start = clock_of(ctx);
    for (int i = 0; i < count; ++i)
        GLNN__TRY(glnn__pass_run(ctx, pass));
    glnn__gl_wait(ctx);
    *us = 1e6 * (clock_of(ctx) - start);
    return GLNN_OK;
}

static double seconds(void *user)
{
    (void)user;
    return glnn__clock_seconds();
}

const glnn__stopwatch glnn__stopwatch_real = {time_passes, seconds, NULL};

/* ---- One timing */

static int all_rows(const glnn__timing *t)
{
    return t->pass.output->texture->extent.height;
}

/* The processors among which the measured processor time is divided. On a software rasteriser they
 * draw, at most one for each part of what is drawn. */
static double count_processors(const glnn_context *ctx, const glnn__timing *t)
{
    const int height = t->rows > 0 ? t->rows : all_rows(t);
    const int width = t->pass.output->texture->extent.width;
    const long parts =
        (long)glnn__ceil_div(width, GLNN__THREAD_SIDE) * glnn__ceil_div(height, GLNN__THREAD_SIDE);
    const int processors = has_threads(ctx) ? glnn__cores_count() : 1;
    return (double)(processors < parts ? processors : parts);
}

/* The pass of a product with this number of inner indices. Stage and way to write stay the same. */
static glnn__pass product_pass(const glnn__timing *t, int inner)
{
    glnn__plan plan = t->plan;
    plan.slice = inner;
    glnn__pass pass = glnn__product_pass(&t->product, &plan, 0, inner, t->product.c);
    pass.way = t->pass.way;
    return pass;
}

void glnn__timing_product(glnn__timing *t, int inner)
{
    t->plan.slice = inner;
    t->pass = product_pass(t, inner);
}

/* A pass that reads its own output cannot be drawn in part. */
static bool has_parts(const glnn__timing *t)
{
    return t->pass.operands[0].matrix != t->pass.output;
}

/* Times the pass over the rows that are drawn. */
static glnn_status time_rows(glnn_context *ctx, const glnn__stopwatch *watch, const glnn__timing *t,
                             double *us)
{
    glnn__pass pass = t->pass;
    if (t->rows > 0)
        pass.region = (glnn__blocks){
            .width = pass.output->texture->extent.width,
            .height = t->rows,
        };
    return watch->time(ctx, &pass, t->repeats, watch->user, us);
}

/* Times the program over one block, to measure submission and waiting. The time is 0 for a pass
 * that has no parts. */
static glnn_status time_start(glnn_context *ctx, const glnn__stopwatch *watch,
                              const glnn__timing *t, double *us)
{
    *us = 0;
    if (!has_parts(t))
        return GLNN_OK;
    glnn__pass start = t->most_inner > 0 ? product_pass(t, 4) : t->pass;
    start.region = (glnn__blocks){0, 0, 1, 1};
    return watch->time(ctx, &start, 1, watch->user, us);
}

/* Runs a timing once more. A product that is too short to measure gets more inner indices, and its
 * earlier times are dropped. */
static glnn_status run_round(glnn_context *ctx, const glnn__stopwatch *watch, glnn__timing *t)
{
    double us, start_us;
    GLNN__TRY(time_start(ctx, watch, t, &start_us));
    GLNN__TRY(time_rows(ctx, watch, t, &us));
    while (us < LONG_ENOUGH_US && t->most_inner > 0 && 2 * t->plan.slice <= t->most_inner) {
        glnn__timing_product(t, 2 * t->plan.slice);
        t->us = INFINITY;
        GLNN__TRY(time_rows(ctx, watch, t, &us));
    }
    t->start_us = fmin(t->start_us, start_us);
    t->us = fmin(t->us, us);
    return GLNN_OK;
}

/* ---- All timings */

/* The time of one pass is divided among the processors that share it. */
static double result_of(const glnn_context *ctx, const glnn__timing *t)
{
    const double all_us = fmax(fmax(t->us - t->start_us, 0.1 * t->us), 1e-2);
    const double us = all_us / (t->repeats * count_processors(ctx, t));
    const double drawn = t->rows > 0 ? t->work * t->rows / all_rows(t) : t->work;
    const double work = t->most_inner > 0 ? drawn * t->plan.slice : drawn;
    return work > 0 ? work / us : us;
}

/* The driver compiles the programs in parallel. */
static glnn_status start_program(glnn_context *ctx, glnn__timings *timings)
{
    if (timings->next == 0)
        timings->compiled = ctx->counters.programs_compiled;
    GLNN__TRY(glnn__pass_start(ctx, &timings->all[timings->next].pass));
    if (timings->next == timings->count - 1)
        glnn__programs_log(ctx, timings->compiled);
    return GLNN_OK;
}

/* Chooses the rows that are drawn: all, or those that take about LONGEST_US after the start. */
static glnn_status choose_rows(glnn_context *ctx, const glnn__stopwatch *watch, glnn__timing *t,
                               double start_us)
{
    const int all = all_rows(t);
    for (t->rows = 1; t->rows < all && has_parts(t); t->rows *= GROWTH) {
        double us;
        GLNN__TRY(time_rows(ctx, watch, t, &us));
        us = fmax(us - start_us, 0);
        if (us * GROWTH > LONGEST_US && us * all > LONGEST_US * t->rows) {
            t->rows = (int)fmax(1, t->rows * LONGEST_US / us);
            return GLNN_OK;
        }
    }
    t->rows = 0;
    return GLNN_OK;
}

/* A driver may continue to compile at the first draw, so each timing then draws once before it is
 * timed. */
static glnn_status draw_once(glnn_context *ctx, const glnn__stopwatch *watch, glnn__timing *t)
{
    double us;
    t->us = t->start_us = INFINITY;
    GLNN__TRY(time_start(ctx, watch, t, &us));
    return choose_rows(ctx, watch, t, us);
}

static glnn_status wake(glnn_context *ctx, const glnn__stopwatch *watch, const glnn__timing *t)
{
    double us;
    return time_rows(ctx, watch, t, &us);
}

static glnn_status run_piece(glnn_context *ctx, const glnn__stopwatch *watch,
                             glnn__timings *timings)
{
    glnn__timing *t = &timings->all[timings->next];
    switch (timings->work) {
    case GLNN__TIMINGS_START:
        return start_program(ctx, timings);
    case GLNN__TIMINGS_DRAW:
        return draw_once(ctx, watch, t);
    case GLNN__TIMINGS_WAKE:
        return wake(ctx, watch, t);
    default:
        return run_round(ctx, watch, t);
    }
}

/* Whether all pieces of the work under way are done; `lasted` is the time since it began. */
static bool is_done(const glnn_context *ctx, glnn__timings *timings, double lasted)
{
    if (timings->work == GLNN__TIMINGS_WAKE)
        return ctx->info.software || lasted >= WAKING;
    if (++timings->next < timings->count)
        return false;
    timings->next = 0;
    return timings->work != GLNN__TIMINGS_TIME ||
           (++timings->round >= LEAST_ROUNDS && lasted >= SPREAD);
}

glnn_status glnn__timings_next(glnn_context *ctx, const glnn__stopwatch *watch,
                               glnn__timings *timings, bool *is_over)
{
    GLNN__TRY(run_piece(ctx, watch, timings));
    const double now = watch->seconds(watch->user);
    *is_over = false;
    if (!is_done(ctx, timings, now - timings->since))
        return GLNN_OK;
    *is_over = timings->work == GLNN__TIMINGS_TIME;
    for (int i = 0; i < timings->count && *is_over; ++i)
        *timings->all[i].number = result_of(ctx, &timings->all[i]);
    timings->since = now;
    timings->work += !*is_over;
    return GLNN_OK;
}

double glnn__timings_progress(const glnn__timings *timings)
{
    const int all = (2 + LEAST_ROUNDS) * timings->count;
    const int works = timings->work == GLNN__TIMINGS_TIME   ? 2 + timings->round
                      : timings->work == GLNN__TIMINGS_WAKE ? 2
                                                            : (int)timings->work;
    return fmin((double)(works * timings->count + timings->next) / all, 0.99);
}
