/* The parts of a convolution in C on one core. Images have their channels next to each other. */
#ifndef BENCH_CONV_CPU_H
#define BENCH_CONV_CPU_H

#include "common/conv_shapes.h"
#include "common/harness.h"

/* The median seconds of a part of a batch. They are proportional to the images of the batch, and a
 * few are measured. */
double conv_cpu_time(bench *b, const glnn__layer *layer, int images, conv_part part);

#endif
