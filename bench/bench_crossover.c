/* bench_crossover - from which size on the device beats C on one core and OpenBLAS: for each
 * operation, and for a training step; and what glnn_context_get_advice expects of that. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/failure.h"
#include "common/race.h"

enum { MOST_SIZES = 16 };

/* `model` is the size from which on glnn_context_get_advice expects the device to be
 * ahead of C; the times are
 * those at the largest size that C was measured at. */
static const column columns[] = {
    {"work", 30, true},
    {"by", 5, true},
    {"C", 10, true},
    {"OpenBLAS 1", 10, true},
    {"OpenBLAS all", 12, true},
    {"model", 10, true},
    {"at", 5, false},
    {"tiled_us", 10, false},
    {"model_us", 10, false},
    {"c_us", 10, false},
    {"model_c_us", 10, false},
};

/* The measurements of one kind of work, sizes ascending. */
typedef struct sweep {
    int count;
    int lengths[MOST_SIZES];
    double seconds[MOST_SIZES][CONTESTANT_COUNT];
    glnn_advice_desc tasks[MOST_SIZES]; /* rows 0: the model does not know this work */
} sweep;

static double *next(sweep *s, int length, glnn_advice_desc task)
{
    s->lengths[s->count] = length;
    s->tasks[s->count] = task;
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

/* ---- The times that the model expects */

/* The task by which the model describes an operation on n x n elements. */
static glnn_advice_desc task_of(const char *work, int n)
{
    static const struct {
        const char *work;
        glnn_task task;
        bool is_narrow, is_shallow; /* one column; an inner dimension of 1 */
    } known[] = {
        {"gemm_nn", GLNN_TASK_GEMM, false, false},
        {"gemm_nt", GLNN_TASK_GEMM, false, false},
        {"gemm_tn", GLNN_TASK_GEMM, false, false},
        {"gemv", GLNN_TASK_GEMM, true, false},
        {"outer", GLNN_TASK_GEMM, false, true},
        {"relu", GLNN_TASK_MAP, false, false},
        {"sigmoid", GLNN_TASK_MAP, false, false},
        {"tanh", GLNN_TASK_MAP, false, false},
        {"exp", GLNN_TASK_MAP, false, false},
        {"copy", GLNN_TASK_MAP, false, false},
        {"transpose", GLNN_TASK_TRANSPOSE, false, false},
        {"sum", GLNN_TASK_REDUCE, false, false},
        {"max", GLNN_TASK_REDUCE, false, false},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(known[i].work, work) == 0)
            return (glnn_advice_desc){.task = known[i].task,
                                      .rows = n,
                                      .columns = known[i].is_narrow ? 1 : n,
                                      .inner = known[i].is_shallow ? 1 : n};
    return (glnn_advice_desc){0};
}

static glnn_advice_desc step_task(int samples, int hidden)
{
    return (glnn_advice_desc){
        .task = GLNN_TASK_NETWORK_STEP, .rows = samples, .columns = 784, .inner = hidden};
}

/* The least size of the sweep from which on the model expects the device to be ahead, and its times
 * next to measured ones. */
static void model_cells(const bench *b, table *t, const sweep *s)
{
    char text[32] = "-";
    int from = 0, at = -1;
    glnn_advice advice[MOST_SIZES];
    for (int i = 0; i < s->count && s->tasks[i].rows > 0; ++i) {
        advice[i] = (glnn_advice){.size = sizeof advice[i]};
        CHECK(glnn_context_get_advice(b->ctx, &s->tasks[i], &advice[i]));
        from = !advice[i].use_gpu ? 0 : from > 0 ? from : s->lengths[i];
        if (!isnan(s->seconds[i][TILED]) && !isnan(s->seconds[i][PLAIN_C]))
            at = i;
    }
    if (from > 0)
        snprintf(text, sizeof text, "%d", from);
    else if (s->tasks[0].rows > 0)
        snprintf(text, sizeof text, "> %d", s->lengths[s->count - 1]);
    table_text(t, text);
    for (int i = 0; i < 5 && at < 0; ++i)
        table_number(t, NAN);
    if (at < 0)
        return;
    table_number(t, s->lengths[at]);
    table_number(t, 1e6 * s->seconds[at][TILED]);
    table_number(t, advice[at].gpu_us);
    table_number(t, 1e6 * s->seconds[at][PLAIN_C]);
    table_number(t, advice[at].cpu_us);
}

static void row(const bench *b, table *t, const char *work, const char *by, const sweep *s)
{
    table_text(t, work);
    table_text(t, by);
    cell(t, s, PLAIN_C);
    cell(t, s, BLAS_ONE);
    cell(t, s, BLAS_ALL);
    model_cells(b, t, s);
}

/* ---- Sweeps */

static void sweep_operations(bench *b, sweep results[])
{
    contest c;
    contest_open(&c, b, "crossover_operations");
    const int largest = bench_choose(b, 256, 512, 4096);
    for (int i = 0; i < measurement_count; ++i)
        for (int n = 32; n <= largest; n *= 2)
            contest_run(&c, &measurements[i], (glnn__sizes){n, n, n},
                        next(&results[i], n, task_of(measurements[i].name, n)));
    contest_close(&c);
}

static void sweep_steps(bench *b, sweep *by_hidden, sweep *by_batch)
{
    race r;
    const int largest = bench_choose(b, 64, 1024, 4096);
    race_open(&r, b, "crossover_steps");
    race_begin(&r, "hidden");
    for (int hidden = 16; hidden <= largest; hidden *= 4)
        race_run(&r, &(net_case){784, hidden, 10, 128, true, 0},
                 next(by_hidden, hidden, step_task(128, hidden)));
    race_begin(&r, "batch");
    for (int batch = 1; batch <= largest; batch *= 4)
        race_run(&r, &(net_case){784, 256, 10, batch, true, 0},
                 next(by_batch, batch, step_task(batch, 256)));
    race_close(&r);
}

int main(int argc, char **argv)
{
    static sweep operations_sweeps[64], by_hidden, by_batch;
    bench b;
    table t;
    bench_open(&b, "bench_crossover", "Finds the sizes from which on the device is faster.", argc,
               argv);
    REQUIRE(b.who == BENCH_ALL || refuse("there is nothing to find but with --who all"));
    sweep_operations(&b, operations_sweeps);
    sweep_steps(&b, &by_hidden, &by_batch);
    table_open(&t, b.out, "crossover", columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < measurement_count; ++i)
        row(&b, &t, measurements[i].name, "side", &operations_sweeps[i]);
    row(&b, &t, "step 784-M-10 of 128 samples", "M", &by_hidden);
    row(&b, &t, "step 784-256-10 of N samples", "N", &by_batch);
    table_close(&t);
    return bench_close(&b);
}
