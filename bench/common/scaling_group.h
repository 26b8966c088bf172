/* A group of processes that measure something together. All of them time the same work the same
 * number of times, because each turn of the work may exchange numbers. */
#ifndef BENCH_SCALING_GROUP_H
#define BENCH_SCALING_GROUP_H

#include "common/harness.h"

enum { GROUP_MOST = 1024 }; /* processes */

typedef struct group {
    const glnn_messenger *messenger; /* NULL: one process */
    int rank, ranks, host_ranks;
    bool has_clock; /* the devices have clocks of their own: they are GPUs */
    double budget;  /* seconds that one figure may take to measure          */
} group;

/* The numbers of a figure for each process: the same on all of them. */
typedef struct group_numbers {
    double mean, most;
} group_numbers;

/* Waits for all processes. */
group_numbers group_gather(const group *g, double own);

/* Checks a call of the messenger as CHECK does a call of the library. */
void group_check(const group *g, glnn_status status);

/* Seconds of one turn of the work, of which `calls` are timed at a time and end with a wait for the
 * device. It is the median of several times, for each process. */
group_numbers group_time(const group *g, glnn_context *ctx, work_fn work, void *state);

/* The same for work that `prepare`, whose time does not count, has to precede each time. */
group_numbers group_time_each(const group *g, glnn_context *ctx, work_fn prepare, work_fn work,
                              void *state);

#endif
