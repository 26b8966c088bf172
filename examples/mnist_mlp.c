/* mnist_mlp - trains a multilayer perceptron on MNIST: the whole way through libglnn, once.
 * `mnist_mlp --help` lists the options. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "common/progress.h"
#include "common/settings.h"
#include "common/show.h"
#include "common/watch.h"

static glnn_mlp *create_network(glnn_context *ctx, const settings *with, int inputs)
{
    glnn_mlp *mlp;
    if (with->load) {
        CHECK(glnn_mlp_load(ctx, with->load, with->on.layout, 0, &mlp));
        CHECK(glnn_mlp_set_precision(mlp, with->precision));
        return mlp;
    }
    bool squared = with->loss == GLNN_LOSS_SQUARED;
    int hidden = with->hidden.count;
    glnn_mlp_desc desc = {.inputs = inputs,
                          .layers = hidden + 1,
                          .loss = with->loss,
                          .init = with->init,
                          .optimizer = {.kind = with->optimizer,
                                        .momentum = with->momentum,
                                        .weight_decay = with->decay},
                          .layout = with->on.layout,
                          .precision = with->precision,
                          .seed = with->seed};
    for (int i = 0; i < hidden; ++i) {
        desc.units[i] = with->hidden.values[i];
        desc.activations[i] = with->activation;
    }
    desc.units[hidden] = MNIST_CLASSES;
    desc.activations[hidden] = squared ? GLNN_MAP_SIGMOID : GLNN_MAP_IDENTITY;
    CHECK(glnn_mlp_create(ctx, &desc, &mlp));
    return mlp;
}

static void train(glnn_mlp *mlp, const settings *with, const glnn_dataset *data,
                  const glnn_dataset *test, watch *state)
{
    bool split = with->validation > 0.0f;
    glnn_train_result result;
    watch_start(state, split ? "validation" : "test");
    state->line.may_end_early = with->patience > 0;
    glnn_status status =
        glnn_mlp_train(mlp, data,
                       &(glnn_train_desc){.epochs = with->epochs,
                                          .batch = with->batch,
                                          .schedule = {.kind = with->schedule,
                                                       .rate = with->rate,
                                                       .every = (with->epochs + 2) / 3},
                                          .seed = with->seed,
                                          .validation = split ? NULL : test,
                                          .validation_split = with->validation,
                                          .patience = with->patience,
                                          .keep_best = split,
                                          .report = watch_report,
                                          .user = state,
                                          .report_every = watch_interval(with->batch)},
                       &result);
    progress_clear(&state->line);
    CHECK(status);
    show_training(&result, glnn_dataset_samples(data) * (1.0 - (double)with->validation),
                  with->batch);
}

/* Measures twice: the first time may compile programs, the second one is timed. */
static void measure(glnn_mlp *mlp, const glnn_dataset *test, const char *plot)
{
    int confusion[MNIST_CLASSES * MNIST_CLASSES];
    double loss, accuracy, started;
    CHECK(glnn_mlp_evaluate(mlp, test, &loss, &accuracy, confusion));
    started = seconds_now();
    CHECK(glnn_mlp_evaluate(mlp, test, &loss, &accuracy, NULL));
    printf("inference  %.0f samples/s\n", glnn_dataset_samples(test) / (seconds_now() - started));
    show_confusion(confusion, MNIST_CLASSES, NULL);
    printf("test loss %.4f, test accuracy %.2f %%\n", loss, 100.0 * accuracy);
    if (plot)
        REQUIRE(plot_confusion(plot, confusion, MNIST_CLASSES, NULL));
}

static void run(glnn_context *ctx, const settings *with, const mnist *images)
{
    glnn_dataset *data = NULL, *test = NULL;
    watch state = {0};
    if (with->train)
        data = mnist_upload(ctx, images, &images->train, with->precision, "training images");
    if (with->needs_data)
        test = mnist_upload(ctx, images, &images->test, with->precision, "test images");
    glnn_mlp *mlp = create_network(ctx, with, images->width * images->height);
    show_network(mlp);

    if (with->train)
        train(mlp, with, data, test, &state);
    if (with->save) {
        CHECK(glnn_mlp_save(mlp, with->save));
        printf("saved      %s\n", with->save);
    }
    if (with->needs_data)
        measure(mlp, test, with->plot);
    if (with->plot && with->train)
        REQUIRE(plot_training(with->plot, &state.curve, state.measured));
    if (with->plot)
        REQUIRE(plot_weights(with->plot, mlp, images->width));
    if (with->predict)
        show_predictions(mlp, with->predict, images->width);

    plot_curve_free(&state.curve);
    glnn_mlp_destroy(mlp);
    glnn_dataset_destroy(data);
    glnn_dataset_destroy(test);
}

int main(int argc, char **argv)
{
    settings with;
    mnist images = {0};
    settings_read(argc, argv, &with);
    REQUIRE(!with.needs_data || mnist_load(with.data, &images));
    if (with.needs_data)
        show_data(&images);
    glnn_context *ctx = device_open(&with.on);
    run(ctx, &with, &images);
    if (images.generated)
        show_generated();
    mnist_free(&images);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
