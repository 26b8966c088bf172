/* The machine's main memory, and arrays that grow in it. */
#ifndef GLNN__BASE_MEMORY_H
#define GLNN__BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of physical memory, or infinity if the system does not report them. */
double glnn__memory_size(void);

/* Makes room for more than `count` items of `size` bytes in an array, whose pointer is at `array`.
 * Returns false and changes nothing if memory ran out. */
bool glnn__memory_grow(void *array, size_t count, size_t *capacity, size_t size);

#endif
