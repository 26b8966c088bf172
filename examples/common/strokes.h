/* Digits as strokes of a pen, in several ways of writing. */
#ifndef EXAMPLES_STROKES_H
#define EXAMPLES_STROKES_H

typedef struct point {
    double x, y;
} point;

enum { SHAPE_POINTS_MAX = 24 };

/* One way to write a digit, y downwards in a square of side 100. A point with x < 0 lifts the pen;
 * a point that is there twice is a corner, and all others lie on a smooth curve. */
typedef struct shape {
    int count;
    signed char points[SHAPE_POINTS_MAX][2];
} shape;

enum { SHAPE_WAYS = 4 };

/* Way number `way` of writing a digit. */
const shape *shape_get(int digit, int way);

/* The point at t in [0, 1] between b and c on the smooth curve through a, b, c, d. */
point curve_point(point a, point b, point c, point d, double t);

#endif
