#include "train/flights.h"

#include <math.h>

/* A call lasts until it returns, and until the device has finished its work: a program that draws
 * waits for the longer one of both. The time of an unusual call counts only until there are times
 * of others. */
static void land(glnn__flights *flights, glnn__flight *flight)
{
    glnn__forecast *forecast = &flights->forecasts[flight->unit];
    const double seconds = fmax(flight->seconds, glnn__interval_take(&flight->interval));
    if (flight->count > 0 && (flight->is_usual || forecast->count == 0))
        glnn__forecast_add(forecast, flight->count, seconds);
}

void glnn__flights_land(glnn__flights *flights)
{
    while (flights->count > 0 &&
           glnn__interval_has_passed(&flights->all[flights->first].interval)) {
        land(flights, &flights->all[flights->first]);
        flights->first = (flights->first + 1) % GLNN__FLIGHTS;
        flights->count--;
    }
}

double glnn__flights_expect(const glnn__flights *flights)
{
    double expected = flights->count == GLNN__FLIGHTS ? (double)INFINITY : 0;
    for (int i = 0; i < flights->count; ++i) {
        const glnn__flight *flight = &flights->all[(flights->first + i) % GLNN__FLIGHTS];
        const glnn__forecast *forecast = &flights->forecasts[flight->unit];
        expected += fmax(flight->seconds, glnn__forecast_expect(forecast, flight->count));
    }
    return expected;
}

glnn__flight *glnn__flights_begin(glnn_context *ctx, glnn__flights *flights)
{
    glnn__flight *flight = &flights->all[(flights->first + flights->count++) % GLNN__FLIGHTS];
    *flight = (glnn__flight){0};
    glnn__interval_begin(ctx, &flight->interval);
    return flight;
}

void glnn__flights_end(glnn_context *ctx, glnn__flight *flight, double seconds)
{
    glnn__interval_end(ctx, &flight->interval);
    flight->seconds = seconds;
}

void glnn__flights_drop(glnn__flights *flights)
{
    for (int i = 0; i < GLNN__FLIGHTS; ++i)
        glnn__interval_drop(&flights->all[i].interval);
    flights->first = flights->count = 0;
}
