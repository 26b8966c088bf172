#include "device/trial.h"

#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"

#include <math.h>
#include <unistd.h>

/* Rounds continue for SPREAD seconds; there are at least LEAST_ROUNDS. */
#define SPREAD       0.15
#define LEAST_ROUNDS 4

/* Seconds: an idle GPU needs some hundredths of a second to reach its full clock rate. */
#define WAKING 0.03

/* Microseconds: shorter products get more inner indices, because the clock cannot measure them
 * exactly enough. */
#define LONG_ENOUGH_US 1e3

/* ---- The real clock */

/* A software rasteriser works in threads of this process, so processor time does not depend on
 * other programs. */
static double clock_of(const glnn_context *ctx)
{
    return ctx->info.software ? glnn__clock_processor_seconds() : glnn__clock_seconds();
}

static glnn_status time_passes(glnn_context *ctx, const glnn__pass *pass, int count, void *user,
                               double *us)
{
    (void)user;
    const double start = clock_of(ctx);
    for (int i = 0; i < count; ++i)
        GLNN__TRY(glnn__pass_run(ctx, pass));
    if (!ctx->announces)
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

/* ---- One trial */

/* Fragments along a side of the tiles that a software rasteriser gives to threads. */
#define THREAD_SIDE 64

/* The processors among which the measured processor time is divided. On a software rasteriser they
 * draw, at most one for each part of the output. */
static double count_processors(const glnn_context *ctx, const glnn__pass *pass)
{
    const glnn__extent extent = pass->output->texture->extent;
    const long parts = (long)glnn__ceil_div(extent.width, THREAD_SIDE) *
                       glnn__ceil_div(extent.height, THREAD_SIDE);
    const long processors = ctx->info.software ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    return (double)(processors < 1 ? 1 : processors < parts ? processors : parts);
}

/* The pass of a product with this number of inner indices. Stage and way to write stay the same. */
static glnn__pass product_pass(const glnn__trial *t, int inner)
{
    glnn__plan plan = t->plan;
    plan.inner = plan.slice = inner;
    glnn__pass pass = glnn__product_pass(&t->product, &plan, 0, inner, t->product.c);
    pass.way = t->pass.way;
    return pass;
}

void glnn__trial_product(glnn__trial *t, int inner)
{
    t->plan.inner = inner;
    t->pass = product_pass(t, inner);
}

/* Times the program over one block, to measure submission and waiting. A pass that reads its own
 * output cannot be drawn in part, so its time is 0 here. */
static glnn_status time_start(glnn_context *ctx, const glnn__stopwatch *watch, const glnn__trial *t,
                              double *us)
{
    *us = 0;
    if (t->pass.operands[0].matrix == t->pass.output)
        return GLNN_OK;
    glnn__pass start = t->most_inner > 0 ? product_pass(t, 4) : t->pass;
    start.region = (glnn__blocks){0, 0, 1, 1};
    return watch->time(ctx, &start, 1, watch->user, us);
}

/* Times a trial once more. A product that is too short to measure gets more inner indices, and its
 * earlier times are dropped. */
static glnn_status run_round(glnn_context *ctx, const glnn__stopwatch *watch, glnn__trial *t)
{
    double us, start_us;
    GLNN__TRY(time_start(ctx, watch, t, &start_us));
    GLNN__TRY(watch->time(ctx, &t->pass, t->repeats, watch->user, &us));
    while (us < LONG_ENOUGH_US && t->most_inner > 0 && 2 * t->plan.inner <= t->most_inner) {
        glnn__trial_product(t, 2 * t->plan.inner);
        t->us = INFINITY;
        GLNN__TRY(watch->time(ctx, &t->pass, t->repeats, watch->user, &us));
    }
    t->start_us = fmin(t->start_us, start_us);
    t->us = fmin(t->us, us);
    return GLNN_OK;
}

/* ---- All trials */

static glnn_status wake(glnn_context *ctx, const glnn__stopwatch *watch, const glnn__trial *trial)
{
    const double start = watch->seconds(watch->user);
    double us;
    do
        GLNN__TRY(watch->time(ctx, &trial->pass, trial->repeats, watch->user, &us));
    while (!ctx->info.software && watch->seconds(watch->user) - start < WAKING);
    return GLNN_OK;
}

static glnn_status run_rounds(glnn_context *ctx, const glnn__stopwatch *watch, glnn__trial *trials,
                              int count)
{
    const double start = watch->seconds(watch->user);
    for (int round = 0; round < LEAST_ROUNDS || watch->seconds(watch->user) - start < SPREAD;
         ++round)
        for (int i = 0; i < count; ++i)
            GLNN__TRY(run_round(ctx, watch, &trials[i]));
    return GLNN_OK;
}

/* The time of one pass is divided among the processors that share it. */
static double result_of(const glnn_context *ctx, const glnn__trial *t)
{
    const double all_us = fmax(fmax(t->us - t->start_us, 0.1 * t->us), 1e-2);
    const double us = all_us / (t->repeats * count_processors(ctx, &t->pass));
    const double work = t->most_inner > 0 ? t->work * t->plan.inner : t->work;
    return work > 0 ? work / us : us;
}

/* Compiles all programs in parallel. A driver may continue to compile at the first draw, so each
 * trial then draws once before it is timed. */
static glnn_status prepare(glnn_context *ctx, const glnn__stopwatch *watch, glnn__trial *trials,
                           int count)
{
    const glnn__announcement begun = glnn__announce_begin(ctx);
    glnn_status status = GLNN_OK;
    double us;
    for (int i = 0; i < count && !status; ++i)
        status = watch->time(ctx, &trials[i].pass, 1, watch->user, &us);
    glnn__announce_end(ctx, &begun);
    for (int i = 0; i < count && !status; ++i) {
        status = time_start(ctx, watch, &trials[i], &us);
        trials[i].us = trials[i].start_us = INFINITY;
    }
    return status;
}

glnn_status glnn__trials_run(glnn_context *ctx, const glnn__stopwatch *watch, glnn__trial *trials,
                             int count)
{
    GLNN__TRY(prepare(ctx, watch, trials, count));
    GLNN__TRY(wake(ctx, watch, &trials[0]));
    GLNN__TRY(run_rounds(ctx, watch, trials, count));
    for (int i = 0; i < count; ++i)
        *trials[i].number = result_of(ctx, &trials[i]);
    return GLNN_OK;
}
