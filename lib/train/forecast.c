#include "train/forecast.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
