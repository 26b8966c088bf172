#include "common/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Seconds of a contestant's work in a round. */
static const double wanted_turn = 0.05, wanted_quick = 0.01;
enum { MOST_CALLS = 4096 };

void rounds_add(rounds *r, work_fn work, void *state)
{
    r->rival[r->rivals++] = (rival){.work = work, .state = state};
}

static void prepare(bench *b, rival *one)
{
    bench_warm_up(b, b->ctx, one->work, one->state, &one->turn);
    const double seconds = bench_calls(b->ctx, one->work, one->state, 1, &one->turn);
    const double wanted = b->quick ? wanted_quick : wanted_turn;
    one->calls = (int)fmin(fmax(ceil(wanted / fmax(seconds, 1e-8)), 1), MOST_CALLS);
    b->last_work = glnn__clock_seconds();
}

void rounds_run(rounds *r, bench *b, int count)
{
    r->count = count;
    for (int i = 0; i < r->rivals; ++i)
        prepare(b, &r->rival[i]);
    for (int round = 0; round < count; ++round)
        for (int i = 0; i < r->rivals; ++i) {
            rival *one = &r->rival[i];
            one->seconds[round] =
                bench_calls(b->ctx, one->work, one->state, one->calls, &one->turn);
        }
    b->last_work = glnn__clock_seconds();
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static timing quartiles(const double *values, int count)
{
    double sorted[ROUNDS_MOST];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return (timing){sorted[count / 2], sorted[count / 4], sorted[3 * count / 4], count};
}

timing rounds_timing(const rounds *r, int number)
{
    return quartiles(r->rival[number].seconds, r->count);
}

double rounds_ratio(const rounds *r, int number, int to)
{
    double ratios[ROUNDS_MOST];
    for (int i = 0; i < r->count; ++i)
        ratios[i] = r->rival[number].seconds[i] / r->rival[to].seconds[i];
    return quartiles(ratios, r->count).median;
}

double rounds_difference(const rounds *r, int number, int from)
{
    double differences[ROUNDS_MOST];
    for (int i = 0; i < r->count; ++i)
        differences[i] = r->rival[number].seconds[i] - r->rival[from].seconds[i];
    return quartiles(differences, r->count).median;
}
