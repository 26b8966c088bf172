/* bench_brief - a few training steps and operations, in less than half a minute without a GPU.
 * scripts/compare.sh compares them. If an older version lacks this program, the script compiles
 * this file with that version. */
#include <time.h>

#include "common/glvq_device.h"
#include "common/table.h"
#include "selftest/operation.h"

/* Versions without this header have no convolutions. */
#ifdef GLNN_LAYER_H
#include "common/conv_nets.h"
#endif

static const column columns[] = {
    {"figure", 28, true},  {"time", 4, true},      {"median_us", 10, false},
    {"low_us", 10, false}, {"high_us", 10, false},
};

/* Seconds that a figure takes to measure. */
static const double budget = 0.5;

/* An epoch is a unit of work, and has so many times as many steps on a GPU. */
enum { STEPS_ON_GPU = 16 };

/* ---- Times */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The time of all threads, which other programs on the machine hardly change. */
static timing time_cpu(const bench *b, work_fn work, void *state, int repeats)
{
    double *times = allocate((size_t)repeats, sizeof *times);
    for (int i = 0; i < repeats; ++i) {
        const double start = cpu_seconds();
        work(state, i);
        CHECK(glnn_context_finish(b->ctx));
        times[i] = cpu_seconds() - start;
    }
    qsort(times, (size_t)repeats, sizeof *times, compare);
    const timing t = {times[repeats / 2], times[repeats / 4], times[(3 * repeats) / 4], repeats};
    free(times);
    return t;
}

static void write_row(table *t, const char *figure, const char *clock, timing time, int steps)
{
    table_text(t, figure);
    table_text(t, clock);
    table_number(t, 1e6 * time.median / steps);
    table_number(t, 1e6 * time.low / steps);
    table_number(t, 1e6 * time.high / steps);
}

/* A unit of work has so many steps. A software renderer computes in threads of this process. */
static void measure(bench *b, table *t, const char *figure, work_fn work, void *state, int steps)
{
    const timing time = bench_time(b, b->ctx, work, state);
    write_row(t, figure, "wall", time, steps);
    if (!b->has_clock)
        write_row(t, figure, "CPU", time_cpu(b, work, state, time.repeats), steps);
}

/* ---- Networks */

enum { FEATURES = 784, CLASSES = 10 };

static const struct {
    const char *figure;
    int hidden, batch, steps;
} nets[] = {
    {"784-256-10 batch 1", 256, 1, 32},
    {"784-256-10 batch 128", 256, 128, 4},
    {"784-800-10 batch 128", 800, 128, 2},
};

typedef struct trainee {
    glnn_learner *network;
    glnn_dataset *data;
    int batch;
} trainee;

static glnn_dataset *random_digits(const bench *b, int samples)
{
    float *inputs = random_floats((size_t)samples * FEATURES, 0, 1);
    int *labels = allocate((size_t)samples, sizeof *labels);
    glnn_dataset *data;
    for (int i = 0; i < samples; ++i)
        labels[i] = i % CLASSES;
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = FEATURES,
                                                   .inputs = inputs,
                                                   .labels = labels,
                                                   .classes = CLASSES},
                              &data));
    free(inputs);
    free(labels);
    return data;
}

static void train_network(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_learner_train(
        t->network, t->data,
        &(glnn_train_desc){
            .epochs = 1, .batch = t->batch, .schedule.rate = 0.01f, .keep_order = true},
        NULL));
}

static void measure_steps(bench *b, table *t, const char *figure, glnn_learner *network, int batch,
                          int steps)
{
    steps *= b->has_clock ? STEPS_ON_GPU : 1;
    trainee of = {network, random_digits(b, steps * batch), batch};
    measure(b, t, figure, train_network, &of, steps);
    glnn_learner_destroy(of.network);
    glnn_dataset_destroy(of.data);
}

static void measure_dense(bench *b, table *t, int net)
{
    glnn_learner *network;
    CHECK(glnn_network_create(
        b->ctx,
        &(glnn_network_desc){.features = FEATURES,
                             .layers = {{.units = nets[net].hidden}, {.units = CLASSES}},
                             .optimizer.momentum = 0.9f,
                             .capacity = nets[net].batch,
                             .seed = 1},
        &network));
    measure_steps(b, t, nets[net].figure, network, nets[net].batch, nets[net].steps);
}

static void measure_convolutions(bench *b, table *t)
{
#ifdef GLNN_LAYER_H
    measure_steps(b, t, "LeNet-5 batch 1", conv_network(b, 0, 1), 1, 8);
    measure_steps(b, t, "LeNet-5 batch 128", conv_network(b, 0, 128), 128, 1);
#else
    (void)b, (void)t;
#endif
}

/* ---- GLVQ */

static const struct {
    const char *figure;
    int batch, steps;
} quantisers[] = {
    {"GLVQ batch 1", 1, 32},
    {"GLVQ batch 256", 256, 4},
};

static void train_quantiser(void *state, int turn)
{
    (void)turn;
    glvq_device_train(state);
}

static void measure_quantiser(bench *b, table *t, int quantiser)
{
    const int steps = quantisers[quantiser].steps * (b->has_clock ? STEPS_ON_GPU : 1);
    const glvq_case of = {
        .classes = 128, .prototypes = 8, .features = 160, .batch = quantisers[quantiser].batch};
    const int samples = steps * of.batch;
    glvq_data data = glvq_data_new(&of, samples);
    glvq_device d = glvq_device_new(b->ctx, &of, &data, samples, (glvq_choices){0});
    measure(b, t, quantisers[quantiser].figure, train_quantiser, &d, steps);
    glvq_device_free(&d);
    glvq_data_free(&data);
}

/* ---- Operations */

static const struct {
    const char *figure, *operation;
    glnn__sizes size;
} works[] = {
    {"product 512^3", "gemm_nn", {512, 512, 512}},
    {"product 784 x 256 x 128", "gemm_tn", {784, 256, 128}},
    {"sums of rows 512^2", "sum_rows", {512, 512, 0}},
    {"sums of columns 512^2", "sum_columns", {512, 512, 0}},
    {"map 512^2", "sigmoid", {512, 512, 0}},
    {"sum of two 512^2", "add", {512, 512, 0}},
    {"transpose 512^2", "transpose", {512, 512, 0}},
    /* With --full; TensorFlow.js is measured with these sizes. */
    {"product 1024^3", "gemm_nn", {1024, 1024, 1024}},
    {"sums of rows 1024^2", "sum_rows", {1024, 1024, 0}},
    {"map 1024^2", "sigmoid", {1024, 1024, 0}},
    {"transpose 1024^2", "transpose", {1024, 1024, 0}},
};

enum { BRIEF_WORKS = 7 };

/* The time depends on where the matrices lie in main memory, so the calls use several sets of them
 * in turn. All sets together fit into the caches, of large matrices one. */
enum { SETS = 4, LARGE = 1024 };

typedef struct set {
    glnn_matrix *operands[GLNN__MOST_OPERANDS];
    glnn_matrix *out;
} set;

typedef struct work {
    glnn_context *ctx;
    const glnn__problem *problem;
    set sets[SETS];
    int count;
} work;

static void run_operation(void *state, int turn)
{
    const work *w = state;
    const set *s = &w->sets[turn % w->count];
    const glnn_matrix *operands[GLNN__MOST_OPERANDS];
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        operands[i] = s->operands[i];
    CHECK(w->problem->op->run(w->ctx, w->problem, operands, s->out));
}

static glnn_matrix *matrix_of(const bench *b, glnn__elements from)
{
    glnn_matrix *m = NULL;
    if (from.rows > 0)
        CHECK(glnn_matrix_create(
            b->ctx,
            &(glnn_matrix_desc){.rows = from.rows, .columns = from.columns, .data = from.data},
            &m));
    return m;
}

static set set_of(const bench *b, const glnn__problem *p)
{
    set s = {.out = matrix_of(b, p->former)};
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        s.operands[i] = matrix_of(b, p->operand[i]);
    return s;
}

static void set_free(set *s)
{
    for (int i = 0; i < GLNN__MOST_OPERANDS; ++i)
        glnn_matrix_destroy(s->operands[i]);
    glnn_matrix_destroy(s->out);
}

static void measure_operation(bench *b, table *t, int number)
{
    glnn__problem p;
    CHECK(
        glnn__problem_create(glnn__operation_get(works[number].operation), works[number].size, &p));
    work w = {.ctx = b->ctx, .problem = &p, .count = works[number].size.m < LARGE ? SETS : 1};
    for (int i = 0; i < w.count; ++i)
        w.sets[i] = set_of(b, &p);
    measure(b, t, works[number].figure, run_operation, &w, 1);
    for (int i = 0; i < w.count; ++i)
        set_free(&w.sets[i]);
    glnn__problem_free(&p);
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

int main(int argc, char **argv)
{
    bench b;
    table t;
    bench_open(&b, "bench_brief", "Measures a few training steps and operations.", argc, argv);
    b.budget = budget;
    table_open(&t, b.out, "brief", columns, COUNT(columns));
    for (int i = 0; i < COUNT(nets); ++i)
        measure_dense(&b, &t, i);
    measure_convolutions(&b, &t);
    for (int i = 0; i < COUNT(quantisers); ++i)
        measure_quantiser(&b, &t, i);
    for (int i = 0; i < (b.full ? COUNT(works) : BRIEF_WORKS); ++i)
        measure_operation(&b, &t, i);
    table_close(&t);
    return bench_close(&b);
}
