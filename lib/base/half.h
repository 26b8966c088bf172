/* 16-bit floating-point numbers (IEEE 754 binary16). */
#ifndef GLNN__BASE_HALF_H
#define GLNN__BASE_HALF_H

#include <stddef.h>
#include <stdint.h>

/* The same number as a float. */
float glnn__half_to_float(uint16_t half);

/* The nearest half, ties to even. Magnitudes from 65520 on become infinite; NaN remains NaN. */
uint16_t glnn__half_from_float(float value);

/* Converts `count` floats to 16-bit numbers in the same memory, from its start on. */
void glnn__halves_in_place(void *values, size_t count);

#endif
