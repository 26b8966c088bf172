/* bench_conv - convolutional nets for images of digits: training steps, and the passes of their
 * convolutions next to matrix products of the same shapes and to the limits of the device. Then
 * first convolutions and poolings of images of many widths. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "common/conv_nets.h"
#include "common/conv_passes.h"
#include "common/conv_widths.h"
#include "common/table.h"
#include "net/network_passes.h"

/* ---- Training steps */

static const column step_columns[] = {
    {"net", 14, true},         {"batch", 6, false},    {"step_us", 11, false},
    {"low_us", 11, false},     {"high_us", 11, false}, {"images_per_s", 12, false},
    {"forward_us", 11, false}, {"passes", 6, false},
};

enum { FEWEST_STEPS = 3, MOST_SAMPLES = 16384 };

typedef struct trainee {
    glnn_learner *network;
    glnn_dataset *data;
    glnn_trainer *trainer;
    int batch, steps; /* of an epoch */
} trainee;

static void train_epoch(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    CHECK(glnn_trainer_step(t->trainer, 0, 0, NULL, NULL));
    CHECK(glnn_trainer_end_epoch(t->trainer));
}

static void run_forward(void *state, int turn)
{
    const trainee *t = state;
    (void)turn;
    const glnn__flow flow = glnn__network_flow(glnn__network_of(t->network), t->batch);
    CHECK(glnn__gl_enter(glnn__network_of(t->network)->ctx));
    CHECK(glnn__gl_leave(glnn__network_of(t->network)->ctx,
                         glnn__network_forward_input(glnn__network_of(t->network), &flow)));
}

static glnn_dataset *make_data(bench *b, int samples)
{
    float *inputs = random_floats((size_t)samples * CONV_PIXELS, 0, 1);
    int *labels = malloc((size_t)samples * sizeof *labels);
    glnn_dataset *data;
    if (!labels)
        exit(1);
    for (int i = 0; i < samples; ++i)
        labels[i] = i % CONV_CLASSES;
    CHECK(glnn_dataset_create(b->ctx,
                              &(glnn_dataset_desc){.samples = samples,
                                                   .features = CONV_PIXELS,
                                                   .inputs = inputs,
                                                   .labels = labels,
                                                   .classes = CONV_CLASSES},
                              &data));
    free(inputs);
    free(labels);
    return data;
}

static double passes_of(glnn_context *ctx)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(ctx, &counters));
    return (double)counters.passes;
}

static void begin_epochs(bench *b, trainee *t, int steps)
{
    t->steps = steps;
    t->data = make_data(b, steps * t->batch);
    CHECK(glnn_trainer_create(
        t->network, t->data,
        &(glnn_train_desc){
            .epochs = INT32_MAX, .batch = t->batch, .schedule.rate = 0.01f, .keep_order = true},
        &t->trainer));
    train_epoch(t, 0);
}

static void end_epochs(const trainee *t)
{
    glnn_trainer_destroy(t->trainer);
    glnn_dataset_destroy(t->data);
}

static double count_passes(bench *b, trainee *t)
{
    const double former = passes_of(b->ctx);
    train_epoch(t, 0);
    return passes_of(b->ctx) - former;
}

/* An epoch is long enough that its end costs little. */
static int choose_steps(trainee *t)
{
    const double start = glnn__clock_seconds();
    train_epoch(t, 0);
    const double wanted = 0.1 * t->steps / (glnn__clock_seconds() - start);
    return (int)fmin(fmax(wanted, FEWEST_STEPS), fmax(MOST_SAMPLES / t->batch, FEWEST_STEPS));
}

static void time_steps(bench *b, table *results, int net, int batch)
{
    trainee t = {.network = conv_network(b, net, batch), .batch = batch};
    begin_epochs(b, &t, 1);
    const double of_one = count_passes(b, &t);
    const int steps = choose_steps(&t);
    end_epochs(&t);
    begin_epochs(b, &t, steps);
    const double passes = (count_passes(b, &t) - of_one) / (steps - 1);
    const timing time = bench_time(b, b->ctx, train_epoch, &t);
    const timing forward = bench_time(b, b->ctx, run_forward, &t);
    table_text(results, conv_nets[net].name);
    table_number(results, batch);
    table_number(results, 1e6 * time.median / steps);
    table_number(results, 1e6 * time.low / steps);
    table_number(results, 1e6 * time.high / steps);
    table_number(results, batch * steps / time.median);
    table_number(results, 1e6 * forward.median);
    table_number(results, passes);
    end_epochs(&t);
    glnn_learner_destroy(t.network);
}

static bool takes_part(const bench *b, int net, int batch)
{
    const int most = conv_nets[net].largest_on_cpu;
    return b->has_clock ? batch != 32 : batch == 1 || batch == most;
}

static void measure_steps(bench *b)
{
    static const int batches[] = {1, 32, 128, 1024};
    const int count = sizeof batches / sizeof *batches;
    table results;
    table_open(&results, b->out, "conv_steps", step_columns,
               sizeof step_columns / sizeof *step_columns);
    for (int net = 0; net < CONV_NETS; ++net)
        for (int i = 0; i < count; ++i)
            if (takes_part(b, net, batches[i]))
                time_steps(b, &results, net, batches[i]);
    table_close(&results);
}

/* ---- Options */

typedef enum part { ALL, STEPS, PASSES, WIDTHS } part;

typedef struct settings {
    bench bench;
    part part;
} settings;

static const char *part_name(int of)
{
    static const char *const names[] = {
        [ALL] = "all", [STEPS] = "steps", [PASSES] = "passes", [WIDTHS] = "widths"};
    return names[of];
}

static const option_row rows[] = {
    {"part", OPTION_CHOICE, .field = offsetof(settings, part), .fallback = "all",
     .help = "training steps, passes of their convolutions, or widths of images", .high = WIDTHS,
     .name_of = part_name},
};

static bool measures(const settings *s, part one)
{
    return s->part == ALL || s->part == one;
}

int main(int argc, char **argv)
{
    static const option_table own = {
        .program = "bench_conv",
        .summary = "Measures training steps and passes of convolutional nets.",
        .rows = rows,
        .count = sizeof rows / sizeof *rows,
        .size = sizeof(settings),
    };
    settings s;
    bench_open_own(&s.bench, &own, argc, argv);
    if (measures(&s, STEPS))
        measure_steps(&s.bench);
    if (measures(&s, PASSES))
        conv_passes_measure(&s.bench);
    if (measures(&s, WIDTHS))
        conv_widths_measure(&s.bench);
    return bench_close(&s.bench);
}
