/* Memory that benchmarks cannot do without. */
#ifndef BENCH_ARRAYS_H
#define BENCH_ARRAYS_H

#include <stddef.h>
#include <stdlib.h>

/* malloc that ends the program when there is no memory; zeroed. */
void *allocate(size_t count, size_t size);

/* Random floats in [low, high), the same in every run; the caller frees them. */
float *random_floats(size_t count, float low, float high);

#endif
