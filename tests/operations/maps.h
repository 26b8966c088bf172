/* Maps in double precision. */
#ifndef TESTS_MAPS_H
#define TESTS_MAPS_H

#include <glnn/map.h>

double reference_map(glnn_map map, double x);

/* The derivative at a place where the map is y. */
double reference_derivative(glnn_map map, double y);

#endif
