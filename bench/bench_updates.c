/* bench_updates - training steps of 784-800-10 with each optimizer, with parameters in two parts
 * and with noise, against the optimizer alone; and the updates in C on one core. */
#include <math.h>
#include <string.h>

#include "common/limits.h"
#include "common/rounds.h"
#include "common/table.h"
#include "common/trainee.h"
#include "common/update_cpu.h"

static const column columns[] = {
    {"optimizer", 10, true}, {"momentum", 8, false},  {"two_parts", 9, false},
    {"noise", 6, false},     {"step_us", 10, false},  {"low_us", 10, false},
    {"high_us", 10, false},  {"passes", 6, false},    {"more_percent", 12, false},
    {"more_us", 10, false},  {"limit_us", 10, false}, {"c_us", 10, false},
};

static const struct {
    glnn_optimizer optimizer;
    int plain; /* the row of the same optimizer without two parts and noise */
} rules[] = {
    {{.momentum = 0.9f}, 0},
    {{.momentum = 0.9f, .two_parts = true}, 0},
    {{.momentum = 0.9f, .gradient_noise = 1e-6f}, 0},
    {{0}, 3},
    {{.two_parts = true}, 3},
    {{.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f}, 5},
    {{.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f, .two_parts = true}, 5},
    {{.kind = GLNN_OPTIMIZER_ADAM}, 7},
    {{.kind = GLNN_OPTIMIZER_ADAM, .two_parts = true}, 7},
    {{.kind = GLNN_OPTIMIZER_RMSPROP}, 9},
    {{.kind = GLNN_OPTIMIZER_RMSPROP, .two_parts = true}, 9},
    {{.kind = GLNN_OPTIMIZER_RPROP}, 11},
    {{.kind = GLNN_OPTIMIZER_RPROP, .two_parts = true}, 11},
};

enum {
    RULES = sizeof rules / sizeof *rules,
    PARAMETERS = (TRAINEE_PIXELS + 1) * TRAINEE_HIDDEN + (TRAINEE_HIDDEN + 1) * TRAINEE_CLASSES
};

static bool is_rprop(int rule)
{
    return rules[rule].optimizer.kind == GLNN_OPTIMIZER_RPROP;
}

/* The second part is read and written; noise needs no memory. */
static double limit_of(const limits *l, int rule)
{
    double copy = 0;
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout)
        copy = fmax(copy, l->copy[layout]);
    return rules[rule].optimizer.two_parts ? 2.0 * sizeof(float) * PARAMETERS / copy : NAN;
}

static double time_in_c(bench *b, int rule)
{
    update_cpu *u = update_cpu_new(&rules[rule].optimizer, PARAMETERS);
    if (!u)
        return NAN;
    const double seconds = bench_time(b, NULL, update_cpu_step, u).median;
    update_cpu_free(u);
    return seconds;
}

static void write_row(bench *b, table *t, const limits *l, const rounds *r, int rule, int steps,
                      double passes)
{
    const glnn_optimizer *o = &rules[rule].optimizer;
    const timing time = rounds_timing(r, rule);
    const int plain = rules[rule].plain;
    table_text(t, glnn_optimizer_kind_name(o->kind));
    table_number(t, (double)o->momentum);
    table_number(t, o->two_parts);
    table_number(t, (double)o->gradient_noise);
    table_number(t, 1e6 * time.median / steps);
    table_number(t, 1e6 * time.low / steps);
    table_number(t, 1e6 * time.high / steps);
    table_number(t, passes);
    table_number(t, rule == plain ? NAN : 100 * (rounds_ratio(r, rule, plain) - 1));
    table_number(t, rule == plain ? NAN : 1e6 * rounds_difference(r, rule, plain) / steps);
    table_number(t, 1e6 * limit_of(l, rule));
    table_number(t, bench_has(b, BENCH_CPU) ? 1e6 * time_in_c(b, rule) : NAN);
}

/* RPROP takes one step an epoch, so its time includes the end of one. */
static void measure(bench *b)
{
    limits l;
    rounds r = {0};
    table t;
    trainee trainees[RULES];
    const int steps = bench_choose(b, 2, b->has_clock ? 64 : 4, 64);
    glnn_dataset *data = trainee_data(b, steps * TRAINEE_BATCH);
    glnn_dataset *one = trainee_data(b, TRAINEE_BATCH);
    limits_measure(b, &l);
    for (int i = 0; i < RULES; ++i) {
        const glnn_train_desc how = {.batch = is_rprop(i) ? 0 : TRAINEE_BATCH,
                                     .schedule.rate = is_rprop(i) ? 0 : 1e-4f,
                                     .keep_order = true};
        trainees[i] = trainee_new(b, is_rprop(i) ? one : data, &rules[i].optimizer, &how);
        rounds_add(&r, trainee_epoch, &trainees[i]);
    }
    rounds_run(&r, b, bench_choose(b, 5, 11, ROUNDS_MOST));
    table_open(&t, b->out, "updates", columns, sizeof columns / sizeof *columns);
    for (int i = 0; i < RULES; ++i) {
        write_row(b, &t, &l, &r, i, is_rprop(i) ? 1 : steps, trainee_step_passes(b, &trainees[i]));
        trainee_free(&trainees[i]);
    }
    table_close(&t);
    glnn_dataset_destroy(data);
    glnn_dataset_destroy(one);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_updates", "Measures training steps by optimizers.", argc, argv);
    measure(&b);
    return bench_close(&b);
}
