/* bench_frames - training within the frames of a program that draws: the time of calls with a time
 * limit, and the time until the device has finished their work. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "common/failure.h"
#include "common/harness.h"
#include "common/table.h"

#define FRAME_MS 16.7

enum { MOST_FRAMES = 2000, SIDE = 64 };

typedef struct scene {
    const char *name;
    int samples, features, outputs, batch;
    bool has_labels;
    glnn_layer_desc layers[4];
} scene;

static const scene scenes[] = {
    {"784-64-10", 8192, 784, 10, 32, true, {{.units = 64}, {.units = 10}}},
    {"2-64-64-3", SIDE *SIDE, 2, 3, 64, false, {{.units = 64}, {.units = 64}, {.units = 3}}},
};

static const double limits_ms[] = {2, 4, 8};

enum { SCENES = sizeof scenes / sizeof *scenes, LIMITS = sizeof limits_ms / sizeof *limits_ms };

static const column columns[] = {
    {"network", 10, true},        {"limit_ms", 8, false},  {"call_ms", 8, false},
    {"call_95", 8, false},        {"call_99", 8, false},   {"device_ms", 9, false},
    {"device_95", 9, false},      {"device_99", 9, false}, {"over_percent", 12, false},
    {"steps_a_frame", 13, false}, {"epochs", 7, false},
};

/* ---- Frames */

typedef struct frames {
    int count, steps;
    double calls[MOST_FRAMES], finished[MOST_FRAMES]; /* milliseconds since a call began */
} frames;

static double since(double start)
{
    return 1e3 * (glnn__clock_seconds() - start);
}

/* The rest of a frame, in which the program draws or waits for the display. */
static void wait_for_display(double start)
{
    const double left = FRAME_MS - since(start);
    if (left > 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e6 * left)}, NULL);
}

static void run_frame(bench *b, glnn_trainer *trainer, double limit, frames *out)
{
    const double start = glnn__clock_seconds();
    int done;
    CHECK(glnn_trainer_step(trainer, 0, limit, &done, NULL));
    out->calls[out->count] = since(start);
    CHECK(glnn_context_finish(b->ctx));
    out->finished[out->count++] = since(start);
    out->steps += done;
    wait_for_display(start);
}

/* ---- Warming up */

static const column warm_columns[] = {
    {"network", 10, true},  {"caches", 6, true},          {"calls", 6, false},
    {"all_ms", 8, false},   {"longest_ms", 10, false},    {"over_8_ms", 9, false},
    {"programs", 8, false}, {"first_step_ms", 13, false},
};

/* Slices of 4 ms until all is done. */
static void warm_up(table *t, glnn_context *ctx, glnn_trainer *trainer)
{
    double progress = 0, all = 0, longest = 0;
    int calls = 0, over = 0;
    glnn_counters counters = {.size = sizeof counters};
    for (; progress < 1; ++calls) {
        const double start = glnn__clock_seconds();
        CHECK(glnn_trainer_warm_up(trainer, 4, &progress));
        CHECK(glnn_context_finish(ctx));
        const double ms = since(start);
        all += ms;
        longest = fmax(longest, ms);
        over += ms > 8;
    }
    CHECK(glnn_context_get_counters(ctx, &counters));
    const double start = glnn__clock_seconds();
    CHECK(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    CHECK(glnn_context_finish(ctx));
    table_number(t, calls);
    table_number(t, all);
    table_number(t, longest);
    table_number(t, over);
    table_number(t, (double)(counters.programs_compiled + counters.programs_loaded));
    table_number(t, since(start));
}

/* ---- Trainings */

static glnn_dataset *create_data(bench *b, const scene *of)
{
    const size_t samples = (size_t)of->samples;
    float *inputs = random_floats(samples * (size_t)of->features, 0, 1);
    float *targets = random_floats(samples * (size_t)of->outputs, 0, 1);
    int *labels = allocate(samples, sizeof *labels);
    glnn_dataset *data;
    for (int i = 0; i < of->samples; ++i)
        labels[i] = i % of->outputs;
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){
                                  .samples = of->samples,
                                  .features = of->features,
                                  .inputs = inputs,
                                  .labels = of->has_labels ? labels : NULL,
                                  .classes = of->has_labels ? of->outputs : 0,
                                  .targets = of->has_labels ? NULL : targets,
                                  .outputs = of->has_labels ? 0 : of->outputs,
                              },
                              &data));
    free(inputs);
    free(targets);
    free(labels);
    return data;
}

static glnn_learner *create_network(bench *b, const scene *of)
{
    glnn_network_desc desc = {
        .features = of->features,
        .loss = of->has_labels ? GLNN_LOSS_CROSS_ENTROPY : GLNN_LOSS_SQUARED,
        .layout = (glnn_layout)b->layout,
        .seed = 1,
    };
    glnn_learner *network;
    for (int i = 0; i < 4; ++i)
        desc.layers[i] = of->layers[i];
    CHECK(glnn_network_create(b->ctx, &desc, &network));
    return network;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void write_quantiles(table *t, double *ms, int count)
{
    static const double shares[] = {0.5, 0.95, 0.99};
    qsort(ms, (size_t)count, sizeof *ms, compare);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; ++i)
        table_number(t, ms[(int)ceil(shares[i] * count) - 1]);
}

static double share_over(const double *ms, int count, double limit)
{
    int over = 0;
    for (int i = 0; i < count; ++i)
        over += ms[i] > 1.2 * limit;
    return 100.0 * over / count;
}

static void write_row(table *t, const scene *of, double limit, frames *all, int epochs)
{
    const double over = share_over(all->finished, all->count, limit);
    table_text(t, of->name);
    table_number(t, limit);
    write_quantiles(t, all->calls, all->count);
    write_quantiles(t, all->finished, all->count);
    table_number(t, over);
    table_number(t, (double)all->steps / all->count);
    table_number(t, epochs);
}

static void measure(bench *b, table *t, const scene *of, const glnn_dataset *data, double limit)
{
    static frames all;
    glnn_learner *network = create_network(b, of);
    glnn_trainer *trainer;
    const int count = bench_choose(b, 100, 600, MOST_FRAMES);
    CHECK(glnn_trainer_create(network, data,
                              &(glnn_train_desc){.epochs = INT32_MAX,
                                                 .batch = of->batch,
                                                 .validation_split = 0.2f,
                                                 .restore_best = true,
                                                 .schedule.rate = 0.01f},
                              &trainer));
    all = (frames){0};
    while (glnn_trainer_get_result(trainer)->epochs < 1) /* compiles */
        run_frame(b, trainer, limit, &(frames){0});
    while (all.count < count)
        run_frame(b, trainer, limit, &all);
    write_row(t, of, limit, &all, glnn_trainer_get_result(trainer)->epochs);
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
}

/* In a context of its own: at first with an empty cache of the library, then with its files. The
 * driver may have a cache too. */
static void measure_warm_up(bench *b, table *t, const scene *of, const char *cache, bool is_warm)
{
    bench own = *b;
    glnn_trainer *trainer;
    CHECK(glnn_context_create(&(glnn_context_desc){.device = b->device, .cache_dir = cache},
                              &own.ctx));
    glnn_dataset *data = create_data(&own, of);
    glnn_learner *network = create_network(&own, of);
    CHECK(glnn_trainer_create(
        network, data, &(glnn_train_desc){.batch = of->batch, .validation_split = 0.2f}, &trainer));
    table_text(t, of->name);
    table_text(t, is_warm ? "warm" : "cold");
    warm_up(t, own.ctx, trainer);
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(own.ctx);
}

static void measure_warm_ups(bench *b)
{
    char cache[] = "/tmp/bench_frames.XXXXXX", command[64];
    table t;
    if (!mkdtemp(cache))
        REQUIRE(refuse("cannot make the folder %s", cache));
    table_open(&t, b->out, "warm_up", warm_columns, sizeof warm_columns / sizeof *warm_columns);
    for (int s = 0; s < SCENES; ++s)
        for (int is_warm = 0; is_warm < 2; ++is_warm) {
            char folder[64];
            snprintf(folder, sizeof folder, "%s/%d", cache, s);
            measure_warm_up(b, &t, &scenes[s], folder, is_warm);
        }
    table_close(&t);
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    if (system(command) != 0)
        REQUIRE(refuse("cannot remove the folder %s", cache));
}

int main(int argc, char **argv)
{
    bench b = {0};
    table t;
    bench_open(&b, "bench_frames", "training within the frames of a program that draws", argc,
               argv);
    table_open(&t, b.out, "frames", columns, sizeof columns / sizeof *columns);
    for (int s = 0; s < SCENES; ++s) {
        glnn_dataset *data = create_data(&b, &scenes[s]);
        for (int i = 0; i < LIMITS; ++i)
            measure(&b, &t, &scenes[s], data, limits_ms[i]);
        glnn_dataset_destroy(data);
    }
    table_close(&t);
    measure_warm_ups(&b);
    return bench_close(&b);
}
