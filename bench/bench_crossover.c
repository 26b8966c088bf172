/* bench_crossover - from which size on the device beats C on one core and OpenBLAS: for each
 * operation, and for a training step. */
#include <math.h>
#include <stdio.h>

#include "common/race.h"

enum { MOST_SIZES = 16 };

static const column columns[] = {
    {"work", 30, true},         {"by", 9, true}, {"C", 10, true}, {"OpenBLAS 1", 10, true},
    {"OpenBLAS all", 12, true},
};

/* What was measured of one kind of work, sizes ascending. */
typedef struct sweep {
    int count;
    int lengths[MOST_SIZES];
    double seconds[MOST_SIZES][CONTESTANT_COUNT];
} sweep;

static double *next(sweep *s, int length)
{
    s->lengths[s->count] = length;
    return s->seconds[s->count++];
}

/* The fastest layout. */
static double of_device(const double seconds[CONTESTANT_COUNT])
{
    return fmin(seconds[TILED], fmin(seconds[PACKED], seconds[UNPACKED]));
}

/* The least size from which on the device is faster at all sizes that both were measured at. */
static void cell(table *t, const sweep *s, contestant rival)
{
    char text[32] = "-";
    int from = 0, measured = 0;
    for (int i = 0; i < s->count; ++i) {
        const double device = of_device(s->seconds[i]), other = s->seconds[i][rival];
        if (isnan(device) || isnan(other))
            continue;
        measured = s->lengths[i];
        if (!(device < other))
            from = 0;
        else if (from == 0)
            from = s->lengths[i];
    }
    if (from > 0)
        snprintf(text, sizeof text, "%d", from);
    else if (measured > 0)
        snprintf(text, sizeof text, "> %d", measured);
    table_text(t, text);
}

static void row(table *t, const char *work, const char *by, const sweep *s)
{
    table_text(t, work);
    table_text(t, by);
    cell(t, s, PLAIN_C);
    cell(t, s, BLAS_ONE);
    cell(t, s, BLAS_ALL);
}

static void sweep_operations(bench *b, sweep results[])
{
    contest c;
    contest_open(&c, b, "crossover_operations");
    const int largest = bench_choose(b, 256, 512, 4096);
    for (int i = 0; i < operation_count; ++i)
        for (int n = 32; n <= largest; n *= 2)
            contest_run(&c, &operations[i], (size){n, n, n}, next(&results[i], n));
    contest_close(&c);
}

static void sweep_steps(bench *b, sweep *by_hidden, sweep *by_batch)
{
    race r;
    const int largest = bench_choose(b, 64, 1024, 4096);
    race_open(&r, b, "crossover_steps");
    race_begin(&r, "hidden");
    for (int hidden = 16; hidden <= largest; hidden *= 4)
        race_run(&r, &(net_case){784, hidden, 10, 128, true, 0}, next(by_hidden, hidden));
    race_begin(&r, "batch");
    for (int batch = 1; batch <= largest; batch *= 4)
        race_run(&r, &(net_case){784, 256, 10, batch, true, 0}, next(by_batch, batch));
    race_close(&r);
}

int main(int argc, char **argv)
{
    static sweep operations_sweeps[64], by_hidden, by_batch;
    bench b;
    table t;
    bench_open(&b, "bench_crossover", "Finds the sizes from which on the device is faster.", argc,
               argv);
    sweep_operations(&b, operations_sweeps);
    sweep_steps(&b, &by_hidden, &by_batch);
    table_open(&t, b.out, "crossover", columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < operation_count; ++i)
        row(&t, operations[i].name, "side", &operations_sweeps[i]);
    row(&t, "step 784-M-10 of 128 samples", "M", &by_hidden);
    row(&t, "step 784-256-10 of N samples", "N", &by_batch);
    table_close(&t);
    return bench_close(&b);
}
