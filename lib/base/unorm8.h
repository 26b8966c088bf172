/* Numbers of 8 bits from 0 to 1. */
#ifndef GLNN__BASE_UNORM8_H
#define GLNN__BASE_UNORM8_H

#include <stddef.h>

/* Rounds each number to the nearest k / 255, from 0 to 1. NaN becomes 0. */
void glnn__unorm8_in_place(float *values, size_t count);

#endif
