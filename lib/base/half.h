/* 16-bit floating-point numbers (IEEE 754 binary16). */
#ifndef GLNN__BASE_HALF_H
#define GLNN__BASE_HALF_H

#include <stddef.h>
#include <stdint.h>

/* Turns `count` floats into as many 16-bit numbers, which begin where the floats did. */
void glnn__halves_in_place(void *values, size_t count);

#endif
