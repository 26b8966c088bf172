#include "learn/train/pacer.h"

#include "base/clock.h"
#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Forecasts */

/* The share of calls that has to stay within TOLERANCE times the budget. */
#define MOST_CALLS 0.95
#define TOLERANCE  1.2

void glnn__forecast_add(glnn__forecast *f, int units, double seconds)
{
    f->seconds[f->next] = seconds / units;
    f->next = (f->next + 1) % GLNN__FORECAST_CALLS;
    if (f->count < GLNN__FORECAST_CALLS)
        f->count++;
    if (units > f->most)
        f->most = units;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The least time of a unit that this share of the calls did not exceed. */
static double quantile(const glnn__forecast *f, double share)
{
    double sorted[GLNN__FORECAST_CALLS];
    const int at = (int)ceil(share * f->count) - 1;
    memcpy(sorted, f->seconds, sizeof sorted);
    qsort(sorted, (size_t)f->count, sizeof *sorted, compare);
    return sorted[at > 0 ? at : 0];
}

double glnn__forecast_expect(const glnn__forecast *f, int units)
{
    return f->count > 0 ? units * quantile(f, 0.5) : 0;
}

int glnn__forecast_fit(const glnn__forecast *f, double budget)
{
    if (f->count == 0)
        return 1;
    const double often = budget / fmax(quantile(f, 0.5), 1e-9);
    const double mostly = TOLERANCE * budget / fmax(quantile(f, MOST_CALLS), 1e-9);
    const int most = f->most < INT_MAX / 2 ? 2 * f->most : INT_MAX;
    const double fitting = fmin(fmin(often, mostly), most);
    return fitting < 1 ? 0 : (int)fitting;
}

/* ---- Flights */

/* A call lasts until it returns, and until the device has finished its work: a program that draws
 * waits for the longer one of both. The time of an unusual call counts only until there are times
 * of others. */
static void land(glnn__pacer *p)
{
    while (p->count > 0 && glnn__interval_has_passed(&p->flights[p->first].interval)) {
        glnn__flight *flight = &p->flights[p->first];
        glnn__forecast *forecast = &p->forecasts[flight->kind];
        const double seconds = fmax(flight->seconds, glnn__interval_take(&flight->interval));
        if (flight->count > 0 && (flight->is_usual || forecast->count == 0))
            glnn__forecast_add(forecast, flight->count, seconds);
        p->first = (p->first + 1) % GLNN__FLIGHTS;
        p->count--;
    }
}

/* The seconds that those under way are expected to take; INFINITY if another one cannot begin. */
static double expect(const glnn__pacer *p)
{
    double expected = p->count == GLNN__FLIGHTS ? (double)INFINITY : 0;
    for (int i = 0; i < p->count; ++i) {
        const glnn__flight *flight = &p->flights[(p->first + i) % GLNN__FLIGHTS];
        expected += fmax(flight->seconds,
                         glnn__forecast_expect(&p->forecasts[flight->kind], flight->count));
    }
    return expected;
}

void glnn__pacer_drop(glnn__pacer *p)
{
    for (int i = 0; i < GLNN__FLIGHTS; ++i)
        glnn__interval_drop(&p->flights[i].interval);
    p->first = p->count = 0;
}

/* ---- Calls */

static double since(double start)
{
    return glnn__clock_seconds() - start;
}

/* The kind by whose forecast a unit is judged. */
static glnn__unit forecast_of(glnn__unit kind)
{
    return kind == GLNN__UNIT_FIRST_STEP ? GLNN__UNIT_STEP
           : kind < GLNN__UNIT_FORECAST  ? kind
                                         : GLNN__UNIT_PART;
}

/* Makes units of one kind until a deadline by the clock, which they also have to keep because the
 * device may be slower than before. The first step of an epoch is measured alone. *goes_on: further
 * work is of another kind. */
static glnn_status make_units(glnn__pacer *p, const glnn__work *work, double deadline,
                              glnn__flight *flight, bool *goes_on)
{
    const glnn__unit kind = work->next(work->of);
    const glnn__forecast *forecast = &p->forecasts[forecast_of(kind)];
    const bool is_step = kind == GLNN__UNIT_STEP || kind == GLNN__UNIT_FIRST_STEP;
    const int most =
        kind < GLNN__UNIT_FORECAST ? glnn__forecast_fit(forecast, -since(deadline)) : INT_MAX;
    bool arrives = true;
    int made = 0;
    flight->kind = forecast_of(kind);
    flight->is_usual = kind != GLNN__UNIT_FIRST_STEP;
    p->is_idle = p->count == 1;
    do {
        GLNN__TRY(work->make(work->of, &arrives));
        p->is_idle = false;
        flight->count += kind != GLNN__UNIT_READING;
        if (made++ == 0 && is_step)
            glFlush(); /* the device begins while further steps are submitted */
    } while (arrives && made < most && work->next(work->of) == kind &&
             glnn__forecast_expect(forecast, 1) <= -since(deadline));
    *goes_on = arrives && work->next(work->of) != kind;
    return GLNN_OK;
}

/* Other units than steps and parts read numbers. A software rasteriser finishes all work before it
 * reads, so they begin when no work is under way. */
static bool would_wait(const glnn_context *ctx, const glnn__pacer *p, glnn__unit next)
{
    return next == GLNN__UNIT_READING && ctx->info.software && p->count > 0;
}

/* Whether units of another kind fit into the time that is left. Those whose time is not known do
 * not. */
static bool fits(const glnn__pacer *p, glnn__unit next, double left)
{
    const glnn__forecast *forecast = &p->forecasts[forecast_of(next)];
    if (next == GLNN__UNIT_NONE || next == GLNN__UNIT_READING)
        return next == GLNN__UNIT_READING && left > 0;
    return forecast->count > 0 && glnn__forecast_expect(forecast, 1) <= left;
}

/* A call that compiles programs takes longer than others. */
glnn_status glnn__pacer_run(glnn_context *ctx, glnn__pacer *p, double called, double seconds,
                            const glnn__work *work)
{
    land(p);
    const double under_way = expect(p);
    bool goes_on = under_way <= seconds && !would_wait(ctx, p, work->next(work->of));
    while (goes_on) {
        const uint64_t compiled = ctx->counters.programs_compiled;
        const double began = glnn__clock_seconds();
        const double left = seconds - fmax(expect(p) - under_way, began - called);
        glnn__flight *flight = &p->flights[(p->first + p->count++) % GLNN__FLIGHTS];
        *flight = (glnn__flight){0};
        glnn__interval_begin(ctx, &flight->interval);
        const glnn_status status = make_units(p, work, began + left, flight, &goes_on);
        flight->is_usual = flight->is_usual && ctx->counters.programs_compiled == compiled;
        flight->seconds = since(began);
        glnn__interval_end(ctx, &flight->interval);
        GLNN__TRY(status);
        const glnn__unit next = work->next(work->of);
        goes_on = goes_on && !would_wait(ctx, p, next) &&
                  fits(p, next, seconds - fmax(expect(p) - under_way, since(called)));
    }
    return GLNN_OK;
}
