/* The measurements that predictions need, as a CSV file of names and values. */
#ifndef BENCH_SCALING_FIGURES_H
#define BENCH_SCALING_FIGURES_H

#include "common/scaling_nets.h"

typedef struct scaling_figures {
    cost_speeds speeds;
    double steps[SCALING_NETS][SCALING_BATCHES]; /* seconds of one process alone; 0: not measured */
} scaling_figures;

/* Both leave a failure and return false if they cannot. A file can lack figures, which keep their
 * values. */
bool scaling_figures_write(const scaling_figures *figures, const char *path);
bool scaling_figures_read(scaling_figures *figures, const char *path);

#endif
