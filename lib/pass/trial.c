#include "pass/trial.h"

#include "base/clock.h"
#include "base/status.h"

#include <math.h>
#include <unistd.h>

/* Rounds are spread over a tenth of a second, as far as so many are enough for that. */
#define LEAST_ROUNDS 3
#define MOST_ROUNDS  16
#define SPREAD       0.1

/* A product is made longer until it takes so long: shorter ones are lost in the clock's noise. */
#define LONG_ENOUGH_US 1e3

#define INNER_END    1
#define INNER_LENGTH 2

/* A software rasteriser works in threads of this process: what they use of the processor is the same
 * however busy other programs keep it. */
static double clock_of(const glnn_context *ctx)
{
    return ctx->info.software ? glnn__clock_processor_seconds() : glnn__clock_seconds();
}

/* Fragments along the sides of what a software rasteriser gives to a thread. */
#define THREAD_SIDE 64

static int ceil_div(int a, int b)
{
    return (a - 1) / b + 1;
}

/* Processors that share the clock's time: where they draw, as many as there are parts for them. */
static double count_processors(const glnn_context *ctx, const glnn__pass *pass)
{
    const glnn__extent extent = pass->output->texture->extent;
    const long parts =
        (long)ceil_div(extent.width, THREAD_SIDE) * ceil_div(extent.height, THREAD_SIDE);
    const long processors = ctx->info.software ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    return (double)(processors < 1 ? 1 : processors < parts ? processors : parts);
}

static glnn_status time_passes(glnn_context *ctx, const glnn__pass *pass, int count, double *us)
{
    const double start = clock_of(ctx);
    for (int i = 0; i < count; ++i)
        GLNN__TRY(glnn__pass_run(ctx, pass));
    glnn__gl_wait(ctx);
    *us = 1e6 * (clock_of(ctx) - start);
    return GLNN_OK;
}

static int repeats_of(const glnn__trial *t)
{
    return t->repeats > 0 ? t->repeats : 1;
}

static void set_inner(glnn__pass *pass, int inner)
{
    pass->uniforms[INNER_END].i = inner;
    pass->uniforms[INNER_LENGTH].i = inner;
}

/* The same program over one block: what submitting a pass and waiting for it takes. */
static glnn_status time_start(glnn_context *ctx, const glnn__trial *t, double *us)
{
    glnn__pass start = t->pass;
    start.region = (glnn__blocks){0, 0, 1, 1};
    if (t->most_inner > 0)
        set_inner(&start, 4);
    return time_passes(ctx, &start, 1, us);
}

static glnn_status time_trial(glnn_context *ctx, const glnn__trial *t, double *us)
{
    return time_passes(ctx, &t->pass, repeats_of(t), us);
}

/* Compiles the program, and finds out how long a product has to be. */
static glnn_status prepare(glnn_context *ctx, glnn__trial *t)
{
    double us;
    t->us = t->start_us = INFINITY;
    if (t->pass.operands[0].matrix != t->pass.output)
        GLNN__TRY(time_start(ctx, t, &us));
    GLNN__TRY(time_trial(ctx, t, &us));
    while (us < LONG_ENOUGH_US && 2 * t->pass.uniforms[INNER_END].i <= t->most_inner) {
        set_inner(&t->pass, 2 * t->pass.uniforms[INNER_END].i);
        GLNN__TRY(time_trial(ctx, t, &us));
    }
    return GLNN_OK;
}

static glnn_status run_round(glnn_context *ctx, glnn__trial *t)
{
    double us, start_us = 0;
    /* A part of what the pass itself reads cannot be drawn. */
    if (t->pass.operands[0].matrix != t->pass.output)
        GLNN__TRY(time_start(ctx, t, &start_us));
    GLNN__TRY(time_trial(ctx, t, &us));
    t->start_us = fmin(t->start_us, start_us);
    t->us = fmin(t->us, us);
    return GLNN_OK;
}

static glnn_status run_all(glnn_context *ctx, glnn__trial *trials, int count,
                           glnn_status (*run)(glnn_context *, glnn__trial *))
{
    for (int i = 0; i < count; ++i) {
        ctx->info.writes = trials[i].writes;
        GLNN__TRY(run(ctx, &trials[i]));
    }
    return GLNN_OK;
}

glnn_status glnn__trials_run(glnn_context *ctx, glnn__trial *trials, int count)
{
    const glnn_writes writes = ctx->info.writes;
    glnn_status status = run_all(ctx, trials, count, prepare);
    const double start = glnn__clock_seconds();
    for (int round = 0; round < MOST_ROUNDS && !status; ++round) {
        if (round >= LEAST_ROUNDS && glnn__clock_seconds() - start > SPREAD)
            break;
        status = run_all(ctx, trials, count, run_round);
    }
    ctx->info.writes = writes;
    for (int i = 0; i < count; ++i) {
        glnn__trial *t = &trials[i];
        const double us = fmax(fmax(t->us - t->start_us, 0.1 * t->us), 1e-2);
        t->us = us / (repeats_of(t) * count_processors(ctx, &t->pass));
    }
    return status;
}

double glnn__trial_speed(const glnn__trial *trial, double work)
{
    return work / trial->us;
}
