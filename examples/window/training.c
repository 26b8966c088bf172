#include "training.h"

#include <limits.h>
#include <string.h>

#include "common/check.h"
#include "common/mnist.h"
#include "common/mnist_data.h"

enum { REPORT_EVERY = 16 };

/* The first weights are so small that the pictures of the weights soon show what was learnt. */
#define FIRST_WEIGHTS 0.03f

/* ---- Reports */

/* The metrics of a report are means since the start of the epoch. The curves show the mean of the
 * batches since the last report, which follows the training more closely. */
static double latest(const glnn_report *now, const glnn_report *before, double mean, double old)
{
    const int fresh = now->batch - before->batch;
    return fresh > 0 ? (now->batch * mean - before->batch * old) / fresh : mean;
}

static bool report(void *user, const glnn_report *now)
{
    training *of = user;
    const bool is_first = of->last.epoch != now->epoch;
    const glnn_report none = {.epoch = now->epoch}, *before = is_first ? &none : &of->last;
    const double epochs = now->epoch - 1 + (double)now->batch / now->batches;
    if (now->batch > before->batch) {
        record_add(&of->losses, epochs,
                   latest(now, before, now->training.loss, before->training.loss));
        record_add(&of->accuracies, epochs,
                   100.0 * latest(now, before, now->training.accuracy, before->training.accuracy));
    }
    if (now->event == GLNN_EVENT_EPOCH) {
        record_add(&of->test_losses, epochs, now->validation.loss);
        record_add(&of->test_accuracies, epochs, 100.0 * now->validation.accuracy);
    }
    of->epochs = epochs;
    of->last = *now;
    return true;
}

/* ---- Networks and trainers */

static void create_network(training *of)
{
    glnn_network_desc desc = {.shape = of->image,
                              .loss = GLNN_LOSS_CROSS_ENTROPY,
                              .optimizer = {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.9f},
                              .init = GLNN_INIT_UNIFORM,
                              .init_range = FIRST_WEIGHTS,
                              .layout = of->with.layout,
                              .seed = of->with.seed};
    int count = 0;
    for (; count < of->with.hidden.count; ++count)
        desc.layers[count] = (glnn_layer_desc){.units = of->with.hidden.values[count],
                                               .activation = GLNN_ACTIVATION_RELU};
    desc.layers[count].units = MNIST_DIGITS;
    CHECK(glnn_network_create(of->ctx, &desc, &of->network));
}

static void create_trainer(training *of)
{
    of->last = (glnn_report){.epoch = 0};
    CHECK(glnn_trainer_create(of->network, of->data,
                              &(glnn_train_desc){.epochs = INT_MAX,
                                                 .batch = of->with.batch,
                                                 .schedule = {.rate = of->with.rate},
                                                 .seed = of->with.seed,
                                                 .validation = of->test,
                                                 .report = report,
                                                 .user = of,
                                                 .report_every = REPORT_EVERY},
                              &of->trainer));
}

static void destroy_network(training *of)
{
    glnn_trainer_destroy(of->trainer);
    glnn_learner_destroy(of->network);
    of->trainer = NULL;
    of->network = NULL;
    of->step_passes = 0;
    of->steps = 0;
    of->epochs = 0.0;
    of->losses.count = of->accuracies.count = 0;
    of->test_losses.count = of->test_accuracies.count = 0;
}

static void begin_network(training *of)
{
    create_network(of);
    create_trainer(of);
    of->progress = 0.0;
    of->state = TRAINING_COMPILES;
}

/* ---- Contexts and data */

static void begin_context(training *of)
{
    CHECK(glnn_context_create(
        &(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT, .stage = of->with.stage}, &of->ctx));
    of->device = (glnn_context_info){.size = sizeof of->device};
    CHECK(glnn_context_get_info(of->ctx, &of->device));
    of->progress = 0.0;
    of->state = TRAINING_MEASURES;
}

static void destroy_context(training *of)
{
    destroy_network(of);
    glnn_dataset_destroy(of->data);
    glnn_dataset_destroy(of->test);
    glnn_context_destroy(of->ctx);
    of->data = of->test = NULL;
    of->ctx = NULL;
}

static void load_data(training *of)
{
    of->data =
        mnist_load(of->ctx, of->with.folder, MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, &of->image);
    of->test =
        mnist_load(of->ctx, of->with.folder, MNIST_TEST_IMAGES, MNIST_TEST_LABELS, &of->image);
}

void training_start(training *out, const training_options *options)
{
    memset(out, 0, sizeof *out);
    out->with = *options;
    begin_context(out);
}

void training_stop(training *of)
{
    destroy_context(of);
}

void training_restart(training *of, glnn_layout layout)
{
    of->with.layout = layout;
    if (of->network == NULL)
        return; /* the device is still measured, and the network follows */
    destroy_network(of);
    begin_network(of);
}

void training_set_stage(training *of, glnn_stage stage)
{
    destroy_context(of);
    of->with.stage = stage;
    begin_context(of);
}

void training_set_rate(training *of, float rate)
{
    of->with.rate = rate;
    if (of->trainer)
        CHECK(glnn_trainer_set_learning_rate(of->trainer, rate));
}

/* ---- Frames */

static void measure(training *of, double milliseconds)
{
    if (of->progress < 1.0) {
        CHECK(glnn_context_warm_up(of->ctx, milliseconds, &of->progress));
        return;
    }
    load_data(of);
    begin_network(of);
}

static void compile(training *of, double milliseconds)
{
    CHECK(glnn_trainer_warm_up(of->trainer, milliseconds, &of->progress));
    if (of->progress >= 1.0)
        of->state = TRAINING_RUNS;
}

static uint64_t passes_of(const training *of)
{
    glnn_counters counters = {.size = sizeof counters};
    CHECK(glnn_context_get_counters(of->ctx, &counters));
    return counters.passes;
}

/* Calls at the end of an epoch have more passes than their steps. */
static void count_passes(training *of, uint64_t passes, int steps)
{
    const int each = steps > 0 ? (int)(passes / (uint64_t)steps) : 0;
    if (each > 0 && (of->step_passes == 0 || each < of->step_passes))
        of->step_passes = each;
}

static int make_steps(training *of, double milliseconds, int steps)
{
    int done = 0;
    const uint64_t before = passes_of(of);
    CHECK(glnn_trainer_step(of->trainer, steps, milliseconds, &done, NULL));
    count_passes(of, passes_of(of) - before, done);
    of->steps += (uint64_t)done;
    return done;
}

glnn_inspection *training_inspect(training *of)
{
    glnn_inspection *made;
    glnn_status status = glnn_inspection_create(of->trainer, &made);
    if (status == GLNN_E_STATE) {
        CHECK(glnn_trainer_end_epoch(of->trainer));
        status = glnn_inspection_create(of->trainer, &made);
    }
    CHECK(status);
    of->steps++;
    return made;
}

int training_run(training *of, double milliseconds, int steps)
{
    switch (of->state) {
    case TRAINING_MEASURES:
        measure(of, milliseconds);
        return 0;
    case TRAINING_COMPILES:
        compile(of, milliseconds);
        return 0;
    case TRAINING_RUNS:
        return make_steps(of, milliseconds, steps);
    }
    return 0;
}
