#include "common/scaling_group.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

enum { MOST_PROCESSES = 1024, FEWEST_TIMES = 5, MOST_TIMES = 25, MOST_TURNS = 4096 };

/* Shorter work is timed several turns at once. */
static const double shortest_seconds = 5e-3;

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

group_numbers group_time(const group *g, glnn_context *ctx, work_fn work, void *state)
{
    double times[MOST_TIMES];
    time_turns(g, ctx, work, state, 2);
    const double estimate = fmax(group_gather(g, time_turns(g, ctx, work, state, 2)).most, 1e-8);
    const int turns = (int)fmin(ceil(shortest_seconds / estimate), MOST_TURNS);
    const int count = (int)fmin(fmax(g->budget / (estimate * turns), FEWEST_TIMES), MOST_TIMES);
    for (int i = 0; i < count; ++i)
        times[i] = time_turns(g, ctx, work, state, turns);
    qsort(times, (size_t)count, sizeof times[0], compare);
    return group_gather(g, times[count / 2]);
}
