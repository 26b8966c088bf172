#include "common/scaling_group.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

enum { MOST_TIMES = 25, MOST_TURNS = 4096 };

/* Shorter work is timed several turns at once. After so many seconds without work a GPU lowers its
 * clock, and needs a load for some time to raise it again. */
static const double shortest_seconds = 5e-3, long_idle = 0.2, long_warm_up = 0.4;

/* Longer work is timed fewer times. */
static const double long_seconds = 0.3;

void group_check(const group *g, glnn_status status)
{
    if (!status)
        return;
    fprintf(stderr, "error: %s\n", g->messenger->get_error(g->messenger->user));
    exit(EXIT_FAILURE);
}

group_numbers group_gather(const group *g, double own)
{
    static double all[GROUP_MOST];
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

/* One kind of work, and how often it is timed at once. */
typedef struct job {
    const group *group;
    glnn_context *ctx;
    work_fn prepare, work; /* NULL: nothing to prepare */
    void *state;
} job;

static double time_turns(const job *j, int turns)
{
    static int turn;
    if (j->prepare)
        j->prepare(j->state, turn);
    group_gather(j->group, 0);
    return bench_calls(j->ctx, j->work, j->state, turns, &turn);
}

static double last_work; /* of the device: when it was last timed */

/* The same number of turns on all processes. */
static void warm_up(const job *j)
{
    const group *g = j->group;
    const double start = glnn__clock_seconds();
    const bool is_cold = j->ctx && group_gather(g, start - last_work).most > long_idle;
    double seconds = 0;
    do {
        time_turns(j, 1);
        seconds = group_gather(g, glnn__clock_seconds() - start).most;
    } while (g->has_clock && is_cold && seconds < long_warm_up);
}

static group_numbers time_job(const job *j)
{
    const group *g = j->group;
    double times[MOST_TIMES];
    time_turns(j, 1);
    warm_up(j);
    const double estimate = fmax(group_gather(g, time_turns(j, 1)).most, 1e-8);
    const int turns = j->prepare ? 1 : (int)fmin(ceil(shortest_seconds / estimate), MOST_TURNS);
    const int fewest = estimate > long_seconds ? 3 : 5;
    const int count = (int)fmin(fmax(g->budget / (estimate * turns), fewest), MOST_TIMES);
    for (int i = 0; i < count; ++i)
        times[i] = time_turns(j, turns);
    last_work = j->ctx ? glnn__clock_seconds() : last_work;
    qsort(times, (size_t)count, sizeof times[0], compare);
    return group_gather(g, times[count / 2]);
}

group_numbers group_time(const group *g, glnn_context *ctx, work_fn work, void *state)
{
    return time_job(&(job){g, ctx, NULL, work, state});
}

group_numbers group_time_each(const group *g, glnn_context *ctx, work_fn prepare, work_fn work,
                              void *state)
{
    return time_job(&(job){g, ctx, prepare, work, state});
}
