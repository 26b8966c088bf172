/* Maps in double precision. */
#ifndef GLNN__SELFTEST_MAPS_H
#define GLNN__SELFTEST_MAPS_H

#include <glnn/map.h>

/* The unit of all error bounds. */
#define GLNN__ROUNDING 0x1p-24

double glnn__reference_map(glnn_map map, double x);

/* The derivative at a place where the map is y. */
double glnn__reference_derivative(glnn_map map, double y);

/* The error that a map adds to its result `y`, and that its derivative adds at a place where the
 * result is `y`. */
double glnn__map_bound(glnn_map map, double y);
double glnn__slope_bound(glnn_map map, double y);

#endif
