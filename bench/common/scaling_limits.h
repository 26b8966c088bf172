/* The limits of an exchange: transfers between the device and main memory, additions, messages. */
#ifndef BENCH_SCALING_LIMITS_H
#define BENCH_SCALING_LIMITS_H

#include "common/scaling_figures.h"
#include "common/scaling_group.h"

/* Measures the speeds of `figures`, and writes scaling_limits.csv. `tree` is the messenger of the
 * same processes that sums in a tree. */
void scaling_measure_limits(bench *b, const group *g, const glnn_messenger *tree,
                            scaling_figures *figures);

#endif
