/* The passes of convolutions, next to products of the same shapes and to the limits of the
 * device. */
#ifndef BENCH_CONV_PASSES_H
#define BENCH_CONV_PASSES_H

#include "common/harness.h"

/* Writes the table conv_passes. */
void conv_passes_measure(bench *b);

#endif
