/* Contestants measured in rounds: in each round all of them work once, so that a busy moment of the
 * machine hits all of them, and ratios are those within a round. */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include "common/harness.h"

enum { ROUNDS_MOST_RIVALS = 16, ROUNDS_MOST = 31 };

typedef struct rival {
    work_fn work;
    void *state;
    int calls, turn; /* units of work in a round; done so far */
    double seconds[ROUNDS_MOST];
} rival;

typedef struct rounds {
    int rivals, count;
    rival rival[ROUNDS_MOST_RIVALS];
} rounds;

void rounds_add(rounds *r, work_fn work, void *state);

/* Warms up, and measures so many rounds. */
void rounds_run(rounds *r, bench *b, int count);

/* Of one unit of work. */
timing rounds_timing(const rounds *r, int number);

/* The median of the ratios to another contestant, and of the differences in seconds. */
double rounds_ratio(const rounds *r, int number, int to);
double rounds_difference(const rounds *r, int number, int from);

#endif
