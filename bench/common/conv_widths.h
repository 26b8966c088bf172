/* Layers with windows over images of many widths, strides and kernels: the time of a multiply-add
 * of each, next to the others of the same kernel. */
#ifndef BENCH_CONV_WIDTHS_H
#define BENCH_CONV_WIDTHS_H

#include "common/harness.h"

/* Writes the table conv_widths. */
void conv_widths_measure(bench *b);

#endif
