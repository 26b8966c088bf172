/* The byte order of elements in files. */
#ifndef GLNN__IO_BYTES_H
#define GLNN__IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Converts elements of `width` bytes in place between the byte orders of the machine and of the
 * file, in either direction. */
void glnn__bytes_order(void *data, size_t elements, size_t width, bool is_big_endian);

#endif
