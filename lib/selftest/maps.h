/* Maps in double precision. */
#ifndef GLNN__SELFTEST_MAPS_H
#define GLNN__SELFTEST_MAPS_H

#include <glnn/map.h>

double glnn__reference_map(glnn_map map, double x);

/* The derivative at a place where the map is y. */
double glnn__reference_derivative(glnn_map map, double y);

#endif
