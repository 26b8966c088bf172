/* bench_recurrent - training steps of gated recurrent units by the length of their sequences, the
 * networks of torch_recurrent.py. */
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "common/harness.h"
#include "common/table.h"

enum { CHANNELS = 32, CLASSES = 10 };

static const column columns[] = {
    {"units", 6, false},        {"batch", 6, false},   {"times", 6, false},
    {"step_us", 11, false},     {"low_us", 11, false}, {"high_us", 11, false},
    {"us_per_time", 12, false},
};

typedef struct trainee {
    glnn_learner *network;
    glnn_dataset *data;
    glnn_trainer *trainer;
} trainee;

static void train_epoch(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_trainer_step(t->trainer, 0, 0, NULL, NULL));
    CHECK(glnn_trainer_end_epoch(t->trainer));
}

static trainee begin(bench *b, int units, int batch, int times, int steps)
{
    trainee t;
    const int samples = batch * steps, features = CHANNELS * times;
    float *inputs = random_floats((size_t)samples * (size_t)features, -1, 1);
    int *labels = allocate((size_t)samples, sizeof *labels);
    for (int i = 0; i < samples; ++i)
        labels[i] = i % CLASSES;
    const glnn_network_desc desc = {
        .shape = {CHANNELS, 1, times},
        .layers = {{.kind = GLNN_LAYER_GRU, .units = units}, {.units = CLASSES}},
        .optimizer.momentum = 0.9f,
        .layout = (glnn_layout)b->layout,
        .capacity = batch,
        .seed = 1};
    CHECK(glnn_network_create(b->ctx, &desc, &t.network));
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = features,
                                                   .inputs = inputs,
                                                   .labels = labels,
                                                   .classes = CLASSES},
                              &t.data));
    CHECK(glnn_trainer_create(
        t.network, t.data,
        &(glnn_train_desc){
            .epochs = INT32_MAX, .batch = batch, .schedule.rate = 0.01f, .keep_order = true},
        &t.trainer));
    free(inputs);
    free(labels);
    return t;
}

static void measure(bench *b, table *results, int units, int batch, int times)
{
    const int steps = b->has_clock ? 16 : 2;
    trainee t = begin(b, units, batch, times, steps);
    train_epoch(&t, 0);
    const timing time = bench_time(b, b->ctx, train_epoch, &t);
    table_number(results, units);
    table_number(results, batch);
    table_number(results, times);
    table_number(results, 1e6 * time.median / steps);
    table_number(results, 1e6 * time.low / steps);
    table_number(results, 1e6 * time.high / steps);
    table_number(results, 1e6 * time.median / steps / times);
    glnn_trainer_destroy(t.trainer);
    glnn_dataset_destroy(t.data);
    glnn_learner_destroy(t.network);
}

int main(int argc, char **argv)
{
    static const int lengths[] = {8, 32, 128};
    static const struct {
        int units, batch;
    } nets[] = {{64, 32}, {256, 128}};
    bench b;
    table results;
    bench_open(&b, "bench_recurrent",
               "Measures training steps of gated recurrent units by the length of sequences.", argc,
               argv);
    table_open(&results, b.out, "recurrent", columns, sizeof columns / sizeof *columns);
    for (int n = 0; n < (b.has_clock ? 2 : 1); ++n)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l)
            measure(&b, &results, nets[n].units, nets[n].batch, lengths[l]);
    table_close(&results);
    return bench_close(&b);
}
