/* The axis of a plot: its range, and the numbers that its ticks stand at. */
#ifndef GLNN__IO_CHART_AXIS_H
#define GLNN__IO_CHART_AXIS_H

#include <stdbool.h>

enum { GLNN__MAX_TICKS = 32 };

typedef struct glnn__axis {
    double low, high; /* low < high; above 0 if the scale is logarithmic */
    bool is_log;
    int tick_count;
    double ticks[GLNN__MAX_TICKS]; /* ascending, inside the range */
} glnn__axis;

/* A linear axis of whole numbers, of which at most `most` have a tick. */
glnn__axis glnn__axis_whole(double low, double high, int most);

/* An axis for values from `least` to `greatest`, with about `wanted` ticks. It has room around the
 * values; a linear one begins at 0 if no value is negative. */
glnn__axis glnn__axis_values(double least, double greatest, bool is_log, int wanted);

/* The place of a value between the ends of the axis, 0 to 1. Infinite or NaN for a value that a
 * logarithmic axis has no place for. */
double glnn__axis_place(const glnn__axis *axis, double value);

#endif
