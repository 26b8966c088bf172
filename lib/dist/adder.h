/* Sums of arrays by a fixed number of threads. The order of each sum does not depend on it. */
#ifndef GLNN__DIST_ADDER_H
#define GLNN__DIST_ADDER_H

#include <stddef.h>

typedef struct glnn__mpi_adder glnn__mpi_adder;

/* `threads` includes the one that calls. NULL: memory ran out, or a thread cannot be created. */
glnn__mpi_adder *glnn__mpi_adder_create(int threads);
void glnn__mpi_adder_destroy(glnn__mpi_adder *adder);

/* sum[i] = (sum[i] + first[i]) + second[i]; `second` may be NULL. */
void glnn__mpi_adder_add(glnn__mpi_adder *adder, float *sum, const float *first,
                         const float *second, size_t count);

#endif
