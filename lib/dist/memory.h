/* Parts of the process's segment for the numbers of messages. Any thread may call these. */
#ifndef GLNN__DIST_MEMORY_H
#define GLNN__DIST_MEMORY_H

#include "dist/segment.h"

typedef struct glnn__mpi_memory glnn__mpi_memory;

/* Manages a segment behind its first `reserved` bytes, which are provided too. NULL: no memory. */
glnn__mpi_memory *glnn__mpi_memory_create(const glnn__mpi_segment *segment, size_t reserved);
void glnn__mpi_memory_destroy(glnn__mpi_memory *memory);

/* NULL: memory ran out. Parts begin with a page. */
void *glnn__mpi_memory_allocate(glnn__mpi_memory *memory, size_t bytes);

/* Returns whether the part is one of `memory`. */
bool glnn__mpi_memory_release(glnn__mpi_memory *memory, void *part);

/* Whether these bytes are in the segment; *offset receives where. */
bool glnn__mpi_memory_has(const glnn__mpi_memory *memory, const void *values, size_t bytes,
                          size_t *offset);

#endif
