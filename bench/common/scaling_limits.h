/* The limits of an exchange: transfers between the device and main memory, additions, messages. */
#ifndef BENCH_SCALING_LIMITS_H
#define BENCH_SCALING_LIMITS_H

#include "common/scaling_figures.h"
#include "common/scaling_group.h"

/* A way of sums between the processes. */
typedef struct scaling_way {
    const char *name;
    const glnn_messenger *messenger;
} scaling_way;

/* Measures the speeds of `figures`, and writes scaling_limits.csv with the sums by each way. */
void scaling_measure_limits(bench *b, const group *g, const scaling_way *ways, int count,
                            scaling_figures *figures);

#endif
