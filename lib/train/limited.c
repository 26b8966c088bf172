/* Calls with a time limit: as much work as is expected to fit, without a wait. */
#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "train/training.h"

/* Programs that were compiled so far: a call that compiles takes longer than others. */
static uint64_t compiled(const glnn_trainer *t)
{
    return t->learner.ctx->counters.programs_compiled;
}

static double seconds_left(const glnn_trainer *t, double seconds)
{
    return seconds - (glnn__clock_seconds() - t->called);
}

/* A unit is begun if by the clock it fits too: the device may be slower than before. */
static bool has_time(const glnn_trainer *t, glnn__unit unit, double seconds)
{
    return glnn__forecast_expect(&t->flights.forecasts[unit], 1) <= seconds_left(t, seconds);
}

static int fitting(const glnn_trainer *t, glnn__unit unit, double seconds)
{
    const int fit = glnn__forecast_fit(&t->flights.forecasts[unit], seconds_left(t, seconds));
    return fit > 1 ? fit : 1;
}

/* ---- Steps */

static glnn_status make_steps(glnn_trainer *t, int steps, double seconds, glnn__flight *flight)
{
    const int most = glnn__least(steps, fitting(t, GLNN__UNIT_STEP, seconds));
    flight->unit = GLNN__UNIT_STEP;
    flight->is_usual = t->phase == GLNN__PHASE_STEPS; /* otherwise it begins an epoch */
    do {
        GLNN__TRY(glnn__steps_run(t, 1));
        flight->count++;
    } while (flight->count < most && t->phase == GLNN__PHASE_STEPS &&
             has_time(t, GLNN__UNIT_STEP, seconds));
    return GLNN_OK;
}

static glnn_status request_and_make_steps(glnn_trainer *t, int steps, double seconds,
                                          glnn__flight *flight)
{
    const bool finishes_reads = t->learner.ctx->info.software;
    if (!finishes_reads || t->flights.count == 1)
        GLNN__TRY(glnn__report_request_left(t));
    t->defers_metrics = finishes_reads;
    const glnn_status status = make_steps(t, steps, seconds, flight);
    t->defers_metrics = false;
    return status;
}

/* ---- The end of an epoch */

/* Makes parts of the validation, or other parts. */
static glnn_status end_parts(glnn_trainer *t, double seconds, glnn__flight *flight)
{
    const bool measures = t->ending.next == GLNN__ENDING_MEASURE;
    const int most = measures ? fitting(t, GLNN__UNIT_PART, seconds) : GLNN__ENDING_PARTS;
    int made = 0;
    bool arrives = true;
    flight->unit = GLNN__UNIT_PART;
    flight->is_usual = true;
    do {
        GLNN__TRY(glnn__epoch_end_part(t, &arrives));
        flight->count += measures;
        ++made;
    } while (arrives && made < most && t->phase == GLNN__PHASE_EPOCH_END &&
             (t->ending.next == GLNN__ENDING_MEASURE) == measures &&
             has_time(t, GLNN__UNIT_PART, seconds));
    return GLNN_OK;
}

/* ---- Both */

/* Other parts of the end of an epoch read numbers, and begin when this waits for nothing. */
static bool can_begin(const glnn_trainer *t, double seconds)
{
    const bool reads = t->phase == GLNN__PHASE_EPOCH_END && t->ending.next != GLNN__ENDING_MEASURE;
    return reads ? t->flights.count == 0 : glnn__flights_expect(&t->flights) <= seconds;
}

glnn_status glnn__limited_run(glnn_trainer *t, int steps, double seconds)
{
    glnn_context *ctx = t->learner.ctx;
    glnn__flights_land(&t->flights);
    if (!can_begin(t, seconds))
        return GLNN_OK;
    const uint64_t before = compiled(t);
    glnn__flight *flight = glnn__flights_begin(ctx, &t->flights);
    const glnn_status status = t->phase == GLNN__PHASE_EPOCH_END
                                   ? end_parts(t, seconds, flight)
                                   : request_and_make_steps(t, steps, seconds, flight);
    flight->is_usual = flight->is_usual && compiled(t) == before;
    glnn__flights_end(ctx, flight, glnn__clock_seconds() - t->called);
    return status;
}
