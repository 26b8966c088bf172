/* Numbers of 8 bits from 0 to 1. */
#ifndef GLNN__BASE_UNORM8_H
#define GLNN__BASE_UNORM8_H

#include <stddef.h>

/* Replaces floats by bytes, in place: by the k for which k / 255 is nearest. NaN becomes 0. */
void glnn__unorm8_in_place(void *values, size_t count);

#endif
