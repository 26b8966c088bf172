/* mnist_mlp - a network learns to read handwritten digits.
 *
 * `make mnist` runs this program; `make mnist ARGS=--help` lists its options. The steps are those
 * of every training: open a device, load samples, describe a network, train it, test it on samples
 * that it has not seen, and save it. */
#include <glnn/glnn.h>

#include <inttypes.h>

#include "common/check.h"
#include "common/device.h"
#include "common/distributed.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "common/mnist_data.h"
#include "common/options.h"
#include "common/plot.h"

typedef struct settings {
    const char *data, *save, *plot;
    option_list hidden;
    int epochs, batch;
    uint64_t seed;
    glnn_stage stage;
    glnn_layout layout;
    distributed_options distributed;
} settings;

OPTION_NAMES(stage)
OPTION_NAMES(exchange_kind)
OPTION_NAMES(layout)

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL, MNIST_DATA_HELP},
    {"hidden", OPTION_LIST, FIELD(hidden), "N[,N...]", "128", "units of each hidden layer", 1, 1e4},
    {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "10", "how often each image is used", 1, 1e6},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "128", "images of a step, of all processes", 1,
     1e6},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1", "of the first weights and the order of images"},
    {"stage", OPTION_CHOICE, FIELD(stage), NULL, NULL, "the shaders that compute",
     GLNN_STAGE_FRAGMENT, GLNN_STAGE_AUTO, .name_of = option_stage},
    {"layout", OPTION_CHOICE, FIELD(layout), NULL, "auto", "the way matrices lie in textures",
     GLNN_LAYOUT_AUTO, GLNN_LAYOUT_UNPACKED, .name_of = option_layout},
    DISTRIBUTED_ROWS(distributed),
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL, "write the trained network (safetensors)"},
    {"plot", OPTION_TEXT, FIELD(plot), "DIR", NULL, "draw curve, confusion matrix and weights"},
};

static bool check_settings(void *from)
{
    const settings *with = from;
    return distributed_check(&with->distributed);
}

/* One output for each digit. Cross-entropy makes the outputs the probabilities of the digits. */
static glnn_learner *create(glnn_context *ctx, const settings *with, glnn_shape image)
{
    glnn_learner *network;
    glnn_network_desc desc = {.shape = image,
                              .loss = GLNN_LOSS_CROSS_ENTROPY,
                              .optimizer = {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.9f},
                              .layout = with->layout,
                              .seed = with->seed};
    int count = 0;
    for (; count < with->hidden.count; ++count)
        desc.layers[count] = (glnn_layer_desc){.units = with->hidden.values[count],
                                               .activation = GLNN_ACTIVATION_RELU};
    desc.layers[count++].units = MNIST_DIGITS;
    CHECK(glnn_network_create(ctx, &desc, &network));
    printf("network    %d x %d pixels", image.height, image.width);
    for (int i = 0; i < count; ++i)
        printf(" - %d %s", desc.layers[i].units, i + 1 < count ? "hidden units" : "outputs");
    printf(", layout %s\n", glnn_layout_name(glnn_network_get_desc(network)->layout));
    return network;
}

/* The library calls this after some batches and after each epoch. False would end the training. */
static bool report(void *user, const glnn_report *now)
{
    if (now->event != GLNN_EVENT_EPOCH)
        return true;
    printf("%5d  %8.4f  %7.2f %%  %8.4f  %7.2f %%  %9.0f\n", now->epoch, now->training.loss,
           100.0 * now->training.accuracy, now->validation.loss, 100.0 * now->validation.accuracy,
           now->samples_per_second);
    fflush(stdout);
    (void)user;
    return true;
}

/* The test images are measured after each epoch, but the network does not learn from them. */
static void train(glnn_learner *network, const settings *with, distributed *processes,
                  const glnn_dataset *data, const glnn_dataset *test, glnn_curve *curve)
{
    const glnn_train_desc desc = {.epochs = with->epochs,
                                  .batch = with->batch,
                                  .schedule = {.kind = GLNN_SCHEDULE_COSINE, .rate = 0.1f},
                                  .seed = with->seed,
                                  .validation = test,
                                  .report = report,
                                  .curve = curve,
                                  .exchange = distributed_exchange(processes)};
    glnn_train_result result = {.size = sizeof result};
    printf("\n         training images        test images\n"
           "epoch      loss    correct      loss    correct   images/s\n");
    CHECK(glnn_learner_train(network, data, &desc, &result));
    printf("\ntraining took %.1f s\n", result.train_seconds);
    distributed_show(processes, data, &result);
}

/* confusion[i * MNIST_DIGITS + j] counts the images of digit i that the network reads as j. */
static void evaluate(glnn_learner *network, const settings *with, const glnn_dataset *test)
{
    int64_t confusion[MNIST_DIGITS * MNIST_DIGITS];
    glnn_metrics metrics;
    CHECK(glnn_learner_evaluate(network, test, &metrics, confusion));
    printf("\ntest images by digit (rows) and by the answer of the network (columns)\n     ");
    for (int j = 0; j < MNIST_DIGITS; ++j)
        printf("%6d", j);
    for (int i = 0; i < MNIST_DIGITS * MNIST_DIGITS; ++i) {
        if (i % MNIST_DIGITS == 0)
            printf("\n%5d", i / MNIST_DIGITS);
        printf("%6lld", (long long)confusion[i]);
    }
    printf("\n\ntest accuracy %.2f %%\n", 100.0 * metrics.accuracy);
    if (with->plot)
        REQUIRE(plot_confusion(with->plot, confusion, MNIST_DIGITS, NULL));
}

int main(int argc, char **argv)
{
    settings with;
    glnn_curve *curve;
    glnn_shape image;
    glnn_context *ctx;
    distributed *processes;

    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains a network to read handwritten digits.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with,
                                 .check = check_settings},
                 argc, argv, &with);
    REQUIRE(distributed_start(&with.distributed, &processes));
    if (!distributed_is_first(processes))
        with.save = with.plot = NULL;
    REQUIRE(with.save == NULL || path_writable(with.save));
    REQUIRE(with.plot == NULL || folder_create(with.plot));
    const char *folder = mnist_find(with.data);
    REQUIRE(folder != NULL);

    glnn_log_set(distributed_is_first(processes) ? device_print_message : NULL, NULL);
    const glnn_context_desc device = {.stage = with.stage,
                                      .device = distributed_device(processes, 0)};
    CHECK(glnn_context_create(&device, &ctx));
    device_show(ctx);
    glnn_dataset *data = mnist_load(ctx, folder, MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, &image);
    glnn_dataset *test = mnist_load(ctx, folder, MNIST_TEST_IMAGES, MNIST_TEST_LABELS, &image);
    printf("images     %s: %" PRId64 " for training, %" PRId64 " for the test\n", folder,
           glnn_dataset_get_samples(data), glnn_dataset_get_samples(test));
    glnn_learner *network = create(ctx, &with, image);
    CHECK(glnn_curve_create(&curve));
    train(network, &with, processes, data, test, curve);
    if (distributed_is_first(processes))
        evaluate(network, &with, test);
    if (with.save)
        CHECK(glnn_learner_save(network, with.save));
    if (with.plot) {
        REQUIRE(plot_curve(with.plot, curve, "test"));
        REQUIRE(plot_weights(with.plot, network));
    }

    glnn_curve_destroy(curve);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(test);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    distributed_end(processes);
    return output_status();
}
