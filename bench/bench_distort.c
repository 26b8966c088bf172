/* bench_distort - training steps of 784-800-10 with distorted images, against those without; the
 * pass that distorts a batch, against a copy of as many bytes; and the same in C on one core. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/distort_cpu.h"
#include "common/limits.h"
#include "common/rounds.h"
#include "common/table.h"
#include "common/trainee.h"
#include "data/dataset.h"
#include "distortions/distorter.h"
#include "distortions/distortion.h"

static const column columns[] = {
    {"distortion", 15, true}, {"step_us", 10, false},  {"low_us", 10, false},
    {"high_us", 10, false},   {"passes", 6, false},    {"more_percent", 12, false},
    {"batch_us", 10, false},  {"limit_us", 10, false}, {"limit_percent", 13, false},
    {"c_us", 10, false},
};

static const char *const names[] = {"none", "affine", "elastic", "affine,elastic"};

enum { KINDS = sizeof names / sizeof *names };

static glnn_distortion distortion_of(int kind)
{
    glnn_distortion d = {.shape = {0}};
    if (kind & 1)
        CHECK(glnn_distortion_add(&d, GLNN_DISTORTION_AFFINE));
    if (kind & 2)
        CHECK(glnn_distortion_add(&d, GLNN_DISTORTION_ELASTIC));
    return d;
}

/* ---- Training steps */

static void train(bench *b, const glnn_dataset *data, rounds *r, double *passes)
{
    trainee trainees[KINDS];
    for (int kind = 0; kind < KINDS; ++kind) {
        trainees[kind] = trainee_new(
            b, data, &(glnn_optimizer){.momentum = 0.9f},
            &(glnn_train_desc){.batch = TRAINEE_BATCH, .distortion = distortion_of(kind)});
        rounds_add(r, trainee_epoch, &trainees[kind]);
    }
    rounds_run(r, b, bench_choose(b, 5, 11, ROUNDS_MOST));
    for (int kind = 0; kind < KINDS; ++kind) {
        passes[kind] = trainee_step_passes(b, &trainees[kind]);
        trainee_free(&trainees[kind]);
    }
}

/* ---- The pass of a batch */

typedef struct batches {
    bench *b;
    glnn__distorter *distorter; /* NULL: the images are copied as they are */
    glnn__images images;
    glnn_matrix *outputs[2]; /* in turn, because software rasterisers drop what is overwritten */
} batches;

static void gather_batch(void *state, int turn)
{
    const batches *of = state;
    glnn_context *ctx = of->b->ctx;
    const glnn__presentation what = {
        .first.i = turn % (of->images.count / TRAINEE_BATCH) * TRAINEE_BATCH,
        .count = TRAINEE_BATCH,
        .step.i = turn,
    };
    CHECK(glnn__gl_enter(ctx));
    glnn_status status = glnn__distorter_prepare(of->distorter, &of->images, (uint64_t)turn);
    if (!status)
        status =
            glnn__distorter_gather(of->distorter, of->images.count, &what, of->outputs[turn & 1]);
    CHECK(glnn__gl_leave(ctx, status));
}

static double time_batch(bench *b, const glnn_dataset *data, int kind)
{
    const glnn_distortion desc = distortion_of(kind);
    glnn_distortion resolved;
    batches of = {.b = b, .images = {data->inputs, data->samples, 1}};
    CHECK(glnn__distortion_resolve(&desc, (glnn_shape){0}, TRAINEE_PIXELS, &resolved));
    CHECK(glnn__distorter_create(b->ctx, &resolved, 1, &of.distorter));
    for (int i = 0; i < 2; ++i)
        CHECK(glnn_matrix_create(b->ctx,
                                 &(glnn_matrix_desc){.rows = TRAINEE_BATCH,
                                                     .columns = TRAINEE_PIXELS,
                                                     .layout = (glnn_layout)b->layout},
                                 &of.outputs[i]));
    const double seconds = bench_time(b, b->ctx, gather_batch, &of).median;
    glnn__distorter_destroy(of.distorter);
    for (int i = 0; i < 2; ++i)
        glnn_matrix_destroy(of.outputs[i]);
    return seconds;
}

/* A pass reads and writes each pixel at least once, and takes no less than an empty pass. */
static double limit_of(const limits *l)
{
    double copy = 0;
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout)
        copy = fmax(copy, l->copy[layout]);
    return fmax(2.0 * sizeof(float) * TRAINEE_BATCH * TRAINEE_PIXELS / copy, l->pass_seconds);
}

/* ---- In C */

static void distort_in_c(void *state, int turn)
{
    distort_cpu_batch(state, turn);
}

static double time_in_c(bench *b, int kind)
{
    const glnn_distortion desc = distortion_of(kind);
    distort_cpu *cpu = distort_cpu_new(&desc, TRAINEE_SIDE, TRAINEE_BATCH);
    const double seconds = bench_time(b, NULL, distort_in_c, cpu).median;
    distort_cpu_free(cpu);
    return seconds;
}

static void measure(bench *b)
{
    limits l;
    rounds r = {0};
    double passes[KINDS];
    table t;
    /* Whole epochs of 64 steps, because a field of displacements serves as many. */
    const int steps = b->has_clock && !b->quick ? 448 : b->quick ? 16 : 64;
    glnn_dataset *data = trainee_data(b, steps * TRAINEE_BATCH);
    limits_measure(b, &l);
    train(b, data, &r, passes);
    table_open(&t, b->out, "distort", columns, sizeof columns / sizeof columns[0]);
    for (int kind = 0; kind < KINDS; ++kind) {
        const timing step = rounds_timing(&r, kind);
        const double batch = kind ? time_batch(b, data, kind) : NAN;
        table_text(&t, names[kind]);
        table_number(&t, 1e6 * step.median / steps);
        table_number(&t, 1e6 * step.low / steps);
        table_number(&t, 1e6 * step.high / steps);
        table_number(&t, passes[kind]);
        table_number(&t, kind ? 100 * (rounds_ratio(&r, kind, 0) - 1) : NAN);
        table_number(&t, 1e6 * batch);
        table_number(&t, kind ? 1e6 * limit_of(&l) : NAN);
        table_number(&t, 100 * limit_of(&l) / batch);
        table_number(&t, kind && bench_has(b, BENCH_CPU) ? 1e6 * time_in_c(b, kind) : NAN);
    }
    table_close(&t);
    glnn_dataset_destroy(data);
}

int main(int argc, char **argv)
{
    bench b;
    bench_open(&b, "bench_distort", "Measures training steps with distorted images.", argc, argv);
    measure(&b);
    return bench_close(&b);
}
