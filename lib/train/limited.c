/* Calls with a time limit: as much work as is expected to fit, without a wait. */
#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "train/training.h"

#include <math.h>

/* A call with a time limit, and the rest of what it may do. */
typedef struct call {
    int steps;        /* that it may still make                                 */
    double seconds;   /* its limit                                              */
    double under_way; /* seconds that the work of former calls is expected to take */
} call;

static double since(double start)
{
    return glnn__clock_seconds() - start;
}

static double seconds_left(const glnn_trainer *t, const call *of)
{
    const double device = glnn__flights_expect(&t->flights) - of->under_way;
    return of->seconds - fmax(device, since(t->called));
}

/* Programs that were compiled so far: a call that compiles takes longer than others. */
static uint64_t compiled(const glnn_trainer *t)
{
    return t->ctx->counters.programs_compiled;
}

/* A unit also has to fit by the clock, because the device may be slower than before. */
static bool has_time(const glnn_trainer *t, glnn__unit unit, double deadline)
{
    return glnn__forecast_expect(&t->flights.forecasts[unit], 1) <= -since(deadline);
}

static int fitting(const glnn_trainer *t, glnn__unit unit, double deadline)
{
    const int fit = glnn__forecast_fit(&t->flights.forecasts[unit], -since(deadline));
    return fit > 1 ? fit : 1;
}

/* ---- Steps */

/* The first step of an epoch takes longer than others, so it is measured alone. */
static glnn_status make_steps(glnn_trainer *t, int steps, double deadline, glnn__flight *flight)
{
    const bool begins = t->phase == GLNN__PHASE_BETWEEN;
    const int most = begins ? 1 : glnn__least(steps, fitting(t, GLNN__UNIT_STEP, deadline));
    flight->unit = GLNN__UNIT_STEP;
    flight->is_usual = !begins;
    do {
        GLNN__TRY(glnn__steps_run(t, 1));
        if (flight->count++ == 0)
            glFlush(); /* the device begins while further steps are submitted */
    } while (flight->count < most && t->phase == GLNN__PHASE_STEPS &&
             has_time(t, GLNN__UNIT_STEP, deadline));
    return GLNN_OK;
}

static glnn_status make_requested(glnn_trainer *t)
{
    const glnn_status status = glnn__report_request_left(t);
    return status ? glnn__training_end(t, status) : GLNN_OK;
}

static glnn_status request_and_make_steps(glnn_trainer *t, call *of, double deadline,
                                          glnn__flight *flight, bool *goes_on)
{
    const bool begins = t->phase == GLNN__PHASE_BETWEEN;
    if (!t->ctx->info.software || t->flights.count == 1)
        GLNN__TRY(make_requested(t));
    t->is_limited = true;
    const glnn_status status = make_steps(t, of->steps, deadline, flight);
    t->is_limited = false;
    of->steps -= flight->count;
    *goes_on = begins || t->phase == GLNN__PHASE_EPOCH_END;
    return status;
}

/* ---- The end of an epoch */

static bool is_measuring(const glnn_trainer *t)
{
    return t->phase == GLNN__PHASE_EPOCH_END && t->ending.next == GLNN__ENDING_MEASURE;
}

/* Makes parts of the validation, or other parts. */
static glnn_status end_parts(glnn_trainer *t, double deadline, glnn__flight *flight, bool *goes_on)
{
    const bool measures = is_measuring(t);
    const int most = measures ? fitting(t, GLNN__UNIT_PART, deadline) : GLNN__ENDING_PARTS;
    int made = 0;
    bool arrives = true;
    flight->unit = GLNN__UNIT_PART;
    flight->is_usual = true;
    do {
        GLNN__TRY(glnn__epoch_end_part(t, &arrives));
        flight->count += measures;
        ++made;
    } while (arrives && made < most && t->phase == GLNN__PHASE_EPOCH_END &&
             is_measuring(t) == measures && has_time(t, GLNN__UNIT_PART, deadline));
    *goes_on = arrives && (t->phase != GLNN__PHASE_EPOCH_END || is_measuring(t) != measures);
    return GLNN_OK;
}

/* ---- Both */

/* The other parts of the end of an epoch read numbers. A software rasteriser finishes all work
 * before it reads, so they begin when no work is under way. */
static bool would_wait(const glnn_trainer *t)
{
    const bool reads = t->phase == GLNN__PHASE_EPOCH_END && !is_measuring(t);
    return reads && t->ctx->info.software && t->flights.count > 0;
}

/* Whether the call goes on with units of another kind. It begins none whose time is not known. */
static bool fits(const glnn_trainer *t, const call *of)
{
    const double left = seconds_left(t, of);
    const bool steps = t->phase != GLNN__PHASE_EPOCH_END;
    const glnn__unit unit = steps ? GLNN__UNIT_STEP : GLNN__UNIT_PART;
    const glnn__forecast *forecast = &t->flights.forecasts[unit];
    if (t->phase == GLNN__PHASE_ENDED || (steps && of->steps == 0))
        return false;
    if (!steps && !is_measuring(t))
        return left > 0;
    return forecast->count > 0 && glnn__forecast_expect(forecast, 1) <= left;
}

/* Makes units of one kind. */
static glnn_status fly(glnn_trainer *t, call *of, bool *goes_on)
{
    glnn_context *ctx = t->ctx;
    const uint64_t before = compiled(t);
    const double began = glnn__clock_seconds(), deadline = began + seconds_left(t, of);
    glnn__flight *flight = glnn__flights_begin(ctx, &t->flights);
    const glnn_status status = t->phase == GLNN__PHASE_EPOCH_END
                                   ? end_parts(t, deadline, flight, goes_on)
                                   : request_and_make_steps(t, of, deadline, flight, goes_on);
    flight->is_usual = flight->is_usual && compiled(t) == before;
    glnn__flights_end(ctx, flight, since(began));
    return status;
}

glnn_status glnn__limited_run(glnn_trainer *t, int steps, double seconds)
{
    glnn__flights_land(&t->flights);
    call of = {steps, seconds, glnn__flights_expect(&t->flights)};
    bool goes_on = of.under_way <= seconds && !would_wait(t);
    while (goes_on) {
        GLNN__TRY(fly(t, &of, &goes_on));
        goes_on = goes_on && !would_wait(t) && fits(t, &of);
    }
    return GLNN_OK;
}
