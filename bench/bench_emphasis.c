/* bench_emphasis - training steps of 784-800-10 with samples drawn by their recent losses, against
 * shuffled ones; and the drawing of an epoch in C on one core. */
#include <math.h>

#include "common/limits.h"
#include "common/rounds.h"
#include "common/table.h"
#include "common/trainee.h"

static const column columns[] = {
    {"samples", 8, false},       {"order", 9, true},     {"step_us", 10, false},
    {"low_us", 10, false},       {"high_us", 10, false}, {"more_percent", 12, false},
    {"epoch_passes", 12, false}, {"more_us", 10, false}, {"limit_us", 10, false},
    {"c_us", 10, false},
};

static const char *const names[] = {"shuffled", "emphasis"};

enum { ORDERS = sizeof names / sizeof *names };

/* ---- In C */

typedef struct in_c {
    int samples;
    uint32_t random;
    float *recent, *presented, *sums;
    int *order;
} in_c;

static float draw(in_c *c)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 17;
    c->random ^= c->random << 5;
    return (float)(c->random >> 8) * 0x1p-24f;
}

/* Systematic sampling by the running sums of the weights. */
static void draw_ascending(in_c *c)
{
    float total = 0;
    for (int i = 0; i < c->samples; ++i)
        c->sums[i] = total += c->recent[i];
    const float part = total / (float)c->samples, offset = draw(c);
    int sample = 0;
    for (int k = 0; k < c->samples; ++k) {
        while (sample < c->samples - 1 && c->sums[sample] <= ((float)k + offset) * part)
            ++sample;
        c->order[k] = sample;
    }
}

static void shuffle(in_c *c)
{
    for (int i = c->samples - 1; i > 0; --i) {
        const int j = (int)(draw(c) * (float)(i + 1)), other = c->order[j];
        c->order[j] = c->order[i];
        c->order[i] = other;
    }
}

static void draw_epoch(void *state, int turn)
{
    in_c *c = state;
    (void)turn;
    draw_ascending(c);
    shuffle(c);
    for (int k = 0; k < c->samples; ++k)
        c->recent[c->order[k]] = c->presented[k];
}

static double time_in_c(bench *b, int samples)
{
    in_c c = {samples,
              1,
              random_floats((size_t)samples, 0, 1),
              random_floats((size_t)samples, 0, 1),
              allocate((size_t)samples, sizeof(float)),
              allocate((size_t)samples, sizeof(int))};
    const double seconds = bench_time(b, NULL, draw_epoch, &c).median;
    free(c.recent);
    free(c.presented);
    free(c.sums);
    free(c.order);
    return seconds;
}

/* ---- Training steps */

static void write_row(bench *b, table *t, const rounds *r, int order, int samples, double passes,
                      double limit)
{
    const int steps = samples / TRAINEE_BATCH;
    const timing epoch = rounds_timing(r, order);
    table_number(t, samples);
    table_text(t, names[order]);
    table_number(t, 1e6 * epoch.median / steps);
    table_number(t, 1e6 * epoch.low / steps);
    table_number(t, 1e6 * epoch.high / steps);
    table_number(t, order ? 100 * (rounds_ratio(r, order, 0) - 1) : NAN);
    table_number(t, passes);
    table_number(t, order ? 1e6 * rounds_difference(r, order, 0) : NAN);
    table_number(t, 1e6 * limit);
    table_number(t, order && bench_has(b, BENCH_CPU) ? 1e6 * time_in_c(b, samples) : NAN);
}

/* The order is new in each epoch, so the passes that draw it are divided among its steps. Their
 * limit is as many empty passes. */
static void measure(bench *b)
{
    limits l;
    rounds r = {0};
    table t;
    trainee trainees[ORDERS];
    double passes[ORDERS];
    const int samples = TRAINEE_BATCH * (b->has_clock && !b->quick ? 468 : b->quick ? 16 : 64);
    glnn_dataset *data = trainee_data(b, samples);
    limits_measure(b, &l);
    for (int order = 0; order < ORDERS; ++order) {
        const glnn_train_desc how = {
            .batch = TRAINEE_BATCH, .schedule.rate = 0.02f, .emphasis = (float)order};
        trainees[order] = trainee_new(b, data, &(glnn_optimizer){.momentum = 0.9f}, &how);
        rounds_add(&r, trainee_epoch, &trainees[order]);
    }
    rounds_run(&r, b, bench_choose(b, 5, 15, ROUNDS_MOST));
    table_open(&t, b->out, "orders", columns, sizeof columns / sizeof *columns);
    for (int order = 0; order < ORDERS; ++order) {
        passes[order] = trainee_epoch_passes(b, &trainees[order]);
        write_row(b, &t, &r, order, samples, passes[order],
                  order ? (passes[order] - passes[0]) * l.pass_seconds : NAN);
        trainee_free(&trainees[order]);
    }
    table_close(&t);
    glnn_dataset_destroy(data);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_emphasis", "Measures training steps by the order of samples.", argc,
               argv);
    measure(&b);
    return bench_close(&b);
}
