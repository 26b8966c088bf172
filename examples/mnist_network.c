/* mnist_network - trains a network on MNIST or on samples of the caller's, to tell classes
 * apart or to predict numbers: the whole way through libglnn, once. `mnist_network --help` lists
 * the options. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/progress.h"
#include "common/show.h"
#include "train/network.h"
#include "train/prepare.h"
#include "train/settings.h"
#include "train/watch.h"

/* The files of both trainers look alike to their user. */
static void check_format(const char *path)
{
    static const char *const others[] = {"glnn-lvq", "glnn-kmeans", "glnn-gmm"};
    glnn_safetensors *file;
    CHECK(glnn_safetensors_read(path, &file));
    const char *format = glnn_safetensors_get_metadata(file, "format");
    for (int i = 0; format && i < 3; ++i)
        REQUIRE(strcmp(format, others[i]) != 0 ||
                refuse("%s is a model of lvq; mnist_network loads networks", path));
    glnn_safetensors_free(file);
}

static glnn_network *load_network(glnn_context *ctx, const settings *with)
{
    glnn_network *network;
    check_format(with->load);
    CHECK(
        glnn_network_load(ctx, with->load, &(glnn_load_desc){.layout = with->on.layout}, &network));
    CHECK(glnn_network_set_precision(network, with->precision));
    return network;
}

static glnn_network *create_network(glnn_context *ctx, const settings *with, const samples *data)
{
    const bool targets = settings_learn_targets(with);
    const int hidden = with->hidden.count;
    glnn_network *network;
    glnn_network_desc desc = {.features = data->features,
                              .loss = with->loss,
                              .init = with->init,
                              .optimizer = {.kind = with->optimizer,
                                            .momentum = with->momentum,
                                            .weight_decay = with->decay},
                              .layout = with->on.layout,
                              .precision = with->precision,
                              .seed = with->seed};
    for (int i = 0; i < hidden; ++i)
        desc.layers[i] =
            (glnn_layer_desc){.units = with->hidden.values[i], .activation = with->activation};
    desc.layers[hidden].units = targets ? data->columns.targets : data->classes.count;
    if (with->loss == GLNN_LOSS_SQUARED && !targets)
        desc.layers[hidden].activation = GLNN_ACTIVATION_SIGMOID;
    CHECK(glnn_network_create(ctx, &desc, &network));
    return network;
}

/* Loads the samples as the network expects them, or prepares them and makes a network for them. */
static glnn_network *prepare(glnn_context *ctx, const settings *with, samples *data)
{
    glnn_preparation preparation = {0};
    glnn_network *network = with->load ? load_network(ctx, with) : NULL;
    const glnn_preparation *kept = glnn_network_get_preparation(network);
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    if (!with->needs_data)
        return network;
    if (network)
        prepare_expect(kept, desc->layers[desc->layer_count - 1].units, data);
    REQUIRE(samples_load(&with->data.from, data));
    samples_show(data);
    if (!network) {
        prepare_advise(&with->data, data);
        prepare_fit(ctx, &with->data, data, &preparation);
        network = create_network(ctx, with, data);
        CHECK(glnn_network_set_preparation(network, &preparation));
    } else if (kept) {
        prepare_apply(ctx, kept, data);
    }
    glnn_preparation_free(&preparation);
    desc = glnn_network_get_desc(network);
    REQUIRE(desc->features == data->features ||
            refuse("the network has %d inputs, but the samples have %d features", desc->features,
                   data->features));
    return network;
}

/* Samples on the GPU; with mixed precision a batch is rounded to 16 bits as it is gathered, and
 * inputs that are stored so take half the memory and give the same bits. */
static glnn_dataset *upload(glnn_context *ctx, const settings *with, const samples *data,
                            const samples_part *part, const char *name)
{
    const bool mixed = with->precision == GLNN_PRECISION_MIXED;
    return samples_upload(ctx, data, part, mixed ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32,
                          name);
}

static void train(glnn_network *network, const settings *with, const glnn_dataset *data,
                  const glnn_dataset *test, bool unscaled, watch *state)
{
    const bool split = with->data.validation > 0.0f;
    const glnn_dataset *measured = split || with->restore_best ? NULL : test;
    glnn_train_result result = {.size = sizeof result};
    watch_start(state, split ? "validation" : measured ? "test" : NULL, state->has_classes);
    state->line.may_end_early = with->patience > 0;
    glnn_status status = glnn_network_train(
        network, data,
        &(glnn_train_desc){.epochs = with->epochs,
                           .batch = with->batch,
                           .schedule = {.kind = with->schedule,
                                        .rate = with->rate,
                                        .every = with->schedule == GLNN_SCHEDULE_STEP
                                                     ? (with->epochs + 2) / 3
                                                     : 0},
                           .seed = with->seed,
                           .validation = measured,
                           .validation_split = with->data.validation,
                           .patience = with->patience,
                           .restore_best = with->restore_best,
                           .report = watch_report,
                           .user = state,
                           .report_every = watch_interval(with->batch)},
        &result);
    progress_clear(&state->line);
    REQUIRE(status != GLNN_E_DIVERGED || !unscaled ||
            refuse("%s; --standardise usually helps a network", glnn_last_error()));
    CHECK(status);
    show_training(&result,
                  (double)glnn_dataset_get_samples(data) * (1.0 - (double)with->data.validation),
                  with->batch);
}

static void measure_classes(glnn_network *network, const settings *with, const samples *data,
                            const glnn_dataset *test)
{
    const int classes = data->classes.count;
    int64_t *confusion = calloc((size_t)classes * (size_t)classes, sizeof *confusion);
    glnn_metrics metrics;
    REQUIRE(confusion != NULL || refuse("no memory for a confusion matrix of %d classes", classes));
    CHECK(glnn_network_evaluate(network, test, &metrics, confusion));
    show_confusion(confusion, classes, data->classes.names);
    char text[LOSS_TEXT];
    printf("test loss %s, test accuracy %.2f %%\n", loss_text(metrics.loss, text),
           100.0 * metrics.accuracy * (double)glnn_dataset_get_samples(test) / data->test.samples);
    if (with->plot)
        REQUIRE(plot_confusion(with->plot, confusion, classes, data->classes.names));
    free(confusion);
}

/* Measures twice: the first time may compile programs, the second one is timed. */
static void measure(glnn_network *network, const settings *with, const samples *data,
                    const glnn_dataset *test)
{
    CHECK(glnn_network_evaluate(network, test, NULL, NULL));
    const double started = seconds_now();
    CHECK(glnn_network_evaluate(network, test, NULL, NULL));
    printf("inference  %.0f samples/s\n",
           (double)glnn_dataset_get_samples(test) / (seconds_now() - started));
    if (data->columns.targets > 0)
        network_show_errors(network, data);
    else
        measure_classes(network, with, data, test);
}

static void run(glnn_context *ctx, const settings *with, samples *data)
{
    glnn_network *network = prepare(ctx, with, data);
    watch state = {.has_classes = data->columns.targets == 0};
    show_network(network);
    glnn_dataset *test = upload(ctx, with, data, &data->test, "test samples");
    glnn_dataset *training = upload(ctx, with, data, &data->train, "training samples");

    if (training)
        train(network, with, training, test,
              with->load == NULL && prepare_is_unscaled(&with->data, data), &state);
    if (with->save) {
        CHECK(glnn_network_save(network, with->save));
        printf("saved      %s\n", with->save);
    }
    if (with->predict)
        network_predict(network, data, with->predict);
    if (test)
        measure(network, with, data, test);
    else if (with->needs_data)
        show_no_test(data);
    if (with->plot && training)
        REQUIRE(plot_training(with->plot, &state.curve, state.measured, state.has_classes));
    if (with->plot && data->width > 0)
        REQUIRE(plot_weights(with->plot, network, data->width));
    if (with->classify)
        network_classify(ctx, network, with->classify, data->width);

    plot_curve_free(&state.curve);
    glnn_network_destroy(network);
    glnn_dataset_destroy(training);
    glnn_dataset_destroy(test);
}

int main(int argc, char **argv)
{
    settings with;
    samples data = {0};
    settings_read(argc, argv, &with);
    glnn_context *ctx = device_open(&with.on);
    run(ctx, &with, &data);
    if (data.generated)
        show_generated();
    samples_free(&data);
    glnn_context_destroy(ctx);
    return program_status();
}
