#include "common/scaling_group.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

enum { MOST_PROCESSES = 1024, FEWEST_TIMES = 5, MOST_TIMES = 25, MOST_TURNS = 4096 };

/* Shorter work is timed several turns at once. After so many seconds without work a GPU lowers its
 * clock, and needs a load for some time to raise it again. */
static const double shortest_seconds = 5e-3, long_idle = 0.2, long_warm_up = 0.4;

void group_check(const group *g, glnn_status status)
{
    if (!status)
        return;
    fprintf(stderr, "error: %s\n", g->messenger->get_error(g->messenger->user));
    exit(EXIT_FAILURE);
}

group_numbers group_gather(const group *g, double own)
{
    static double all[MOST_PROCESSES];
    if (!g->messenger)
        return (group_numbers){own, own};
    group_check(g, g->messenger->gather(g->messenger->user, &own, sizeof own, all));
    group_numbers numbers = {0};
    for (int i = 0; i < g->ranks; ++i) {
        numbers.mean += all[i] / g->ranks;
        numbers.most = fmax(numbers.most, all[i]);
    }
    return numbers;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double time_turns(const group *g, glnn_context *ctx, work_fn work, void *state, int turns)
{
    static int turn;
    group_gather(g, 0);
    return bench_calls(ctx, work, state, turns, &turn);
}

static double last_work; /* of the device: when it was last timed */

/* The same number of turns on all processes. */
static void warm_up(const group *g, glnn_context *ctx, work_fn work, void *state)
{
    const double start = glnn__clock_seconds();
    const bool is_cold = ctx && group_gather(g, start - last_work).most > long_idle;
    double seconds = 0;
    do {
        time_turns(g, ctx, work, state, 2);
        seconds = group_gather(g, glnn__clock_seconds() - start).most;
    } while (g->has_clock && is_cold && seconds < long_warm_up);
}

group_numbers group_time(const group *g, glnn_context *ctx, work_fn work, void *state)
{
    double times[MOST_TIMES];
    warm_up(g, ctx, work, state);
    const double estimate = fmax(group_gather(g, time_turns(g, ctx, work, state, 2)).most, 1e-8);
    const int turns = (int)fmin(ceil(shortest_seconds / estimate), MOST_TURNS);
    const int count = (int)fmin(fmax(g->budget / (estimate * turns), FEWEST_TIMES), MOST_TIMES);
    for (int i = 0; i < count; ++i)
        times[i] = time_turns(g, ctx, work, state, turns);
    last_work = ctx ? glnn__clock_seconds() : last_work;
    qsort(times, (size_t)count, sizeof times[0], compare);
    return group_gather(g, times[count / 2]);
}
