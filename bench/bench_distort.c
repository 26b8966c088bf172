/* bench_distort - training steps of a net for images of digits with distorted images, against those
 * without. */
#include <stdlib.h>

#include "base/clock.h"
#include "common/harness.h"
#include "common/table.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, HIDDEN = 800, CLASSES = 10, BATCH = 128, MOST_ROUNDS = 32 };

/* Seconds of the steps of one contestant in a round. */
static const double wanted_turn = 0.2;

static const column columns[] = {
    {"distortion", 15, true}, {"step_us", 10, false},      {"low_us", 10, false},
    {"high_us", 10, false},   {"more_percent", 12, false},
};

static const char *const names[] = {"none", "affine", "elastic", "affine,elastic"};

enum { KINDS = sizeof names / sizeof *names };

/* The nets take turns, so that a busy moment of the machine hits all of them. */
typedef struct distort_bench {
    bench *b;
    glnn_dataset *data;
    glnn_network *networks[KINDS];
    glnn_trainer *trainers[KINDS];
    int steps, rounds;
    double seconds[KINDS][MOST_ROUNDS]; /* of a step */
} distort_bench;

static void open_trainer(distort_bench *d, int kind)
{
    glnn_train_desc desc = {.epochs = 1 << 20, .batch = BATCH};
    if (kind & 1)
        CHECK(glnn_distortion_add(&desc.distortion, GLNN_DISTORTION_AFFINE));
    if (kind & 2)
        CHECK(glnn_distortion_add(&desc.distortion, GLNN_DISTORTION_ELASTIC));
    CHECK(glnn_network_create(d->b->ctx,
                              &(glnn_network_desc){
                                  .features = PIXELS,
                                  .layers = {{.units = HIDDEN}, {.units = CLASSES}},
                                  .optimizer.momentum = 0.9f,
                              },
                              &d->networks[kind]));
    CHECK(glnn_network_trainer_create(d->networks[kind], d->data, &desc, &d->trainers[kind]));
}

static void open_data(distort_bench *d, int samples)
{
    float *images = random_floats((size_t)samples * PIXELS, 0, 1);
    int *labels = allocate((size_t)samples, sizeof *labels);
    for (int i = 0; i < samples; ++i)
        labels[i] = i % CLASSES;
    CHECK(glnn_dataset_create(d->b->ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = PIXELS,
                                                   .inputs = images,
                                                   .labels = labels,
                                                   .classes = CLASSES},
                              &d->data));
    free(images);
    free(labels);
}

/* Seconds of so many steps. The ends of epochs are not counted. A time limit, even one that is
 * never reached, makes the call wait for the device. */
static double time_steps(glnn_trainer *trainer, int steps)
{
    double seconds = 0;
    while (steps > 0) {
        int done;
        bool ended;
        const double begun = glnn__clock_seconds();
        CHECK(glnn_trainer_step(trainer, steps, 1e9, &done, &ended));
        seconds += glnn__clock_seconds() - begun;
        steps -= done;
        if (ended)
            CHECK(glnn_trainer_end_epoch(trainer));
    }
    return seconds;
}

static void run_rounds(distort_bench *d)
{
    for (int kind = 0; kind < KINDS; ++kind)
        time_steps(d->trainers[kind], 3);
    const double step = time_steps(d->trainers[0], 10) / 10;
    d->steps = step < wanted_turn ? (int)(wanted_turn / step) : 1;
    for (int round = 0; round < d->rounds; ++round)
        for (int kind = 0; kind < KINDS; ++kind)
            d->seconds[kind][round] = time_steps(d->trainers[kind], d->steps) / d->steps;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(const double *values, int count, double share)
{
    double sorted[MOST_ROUNDS];
    for (int i = 0; i < count; ++i)
        sorted[i] = values[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return sorted[(int)(share * (count - 1) + 0.5)];
}

static void print(const distort_bench *d)
{
    table t;
    table_open(&t, d->b->out, "distort", columns, sizeof columns / sizeof columns[0]);
    for (int kind = 0; kind < KINDS; ++kind) {
        double more[MOST_ROUNDS];
        for (int round = 0; round < d->rounds; ++round)
            more[round] = 100 * (d->seconds[kind][round] / d->seconds[0][round] - 1);
        table_text(&t, names[kind]);
        table_number(&t, 1e6 * quantile(d->seconds[kind], d->rounds, 0.5));
        table_number(&t, 1e6 * quantile(d->seconds[kind], d->rounds, 0.25));
        table_number(&t, 1e6 * quantile(d->seconds[kind], d->rounds, 0.75));
        table_number(&t, quantile(more, d->rounds, 0.5));
    }
    table_close(&t);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_distort", "Measures training steps with distorted images.", argc, argv);
    distort_bench d = {.b = &b, .rounds = bench_choose(&b, 7, 15, MOST_ROUNDS)};
    open_data(&d, bench_choose(&b, 6000, 60000, 60000));
    for (int kind = 0; kind < KINDS; ++kind)
        open_trainer(&d, kind);
    run_rounds(&d);
    print(&d);
    for (int kind = 0; kind < KINDS; ++kind) {
        glnn_trainer_destroy(d.trainers[kind]);
        glnn_network_destroy(d.networks[kind]);
    }
    glnn_dataset_destroy(d.data);
    return bench_close(&b);
}
