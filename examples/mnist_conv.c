/* mnist_conv - a convolutional network learns to read handwritten digits.
 *
 * `make conv` runs this program; `make conv ARGS=--help` lists its options. A convolution looks at
 * all places of an image with the same small windows of weights, so it needs few weights and finds
 * a stroke wherever it is. mnist_mlp.c explains the steps around the network. */
#include <glnn/glnn.h>

#include <inttypes.h>
#include <stddef.h>

#include "common/check.h"
#include "common/device.h"
#include "common/distributed.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "common/mnist_data.h"
#include "common/options.h"

enum { LENET5, SIMARD, NETS };

typedef struct settings {
    const char *data, *save;
    int net, epochs, batch;
    bool distort;
    distributed_options distributed;
    uint64_t seed;
    glnn_stage stage;
} settings;

static const char *net_name(int net)
{
    return net == LENET5 ? "lenet5" : "simard";
}

OPTION_NAMES(stage)
OPTION_NAMES(exchange_kind)

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL, MNIST_DATA_HELP},
    {"net", OPTION_CHOICE, FIELD(net), NULL, "lenet5", "the network", LENET5, NETS - 1,
     .name_of = net_name},
    {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "10", "how often each image is used", 1, 1e6},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "128", "images of a step, of all processes", 1,
     1e6},
    {"distort", OPTION_FLAG, FIELD(distort), NULL, NULL, "distort each image anew in each epoch"},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1", "of the first weights and the order of images"},
    {"stage", OPTION_CHOICE, FIELD(stage), NULL, NULL, "the shaders that compute",
     GLNN_STAGE_FRAGMENT, GLNN_STAGE_AUTO, .name_of = option_stage},
    DISTRIBUTED_ROWS(distributed),
    {"save", OPTION_TEXT, FIELD(save), "FILE", NULL, "write the trained network (safetensors)"},
};

static bool check_settings(void *from)
{
    const settings *with = from;
    return distributed_check(&with->distributed);
}

/* LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition (1998),
 * with rectified units and maxima. Padding makes 28 x 28 pixels the 32 x 32 of the paper. */
static const glnn_layer_desc lenet5[] = {
    {.kind = GLNN_LAYER_CONVOLUTION, .units = 6, .kernel = {5, 5}, .padding = {2, 2}},
    {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
    {.kind = GLNN_LAYER_CONVOLUTION, .units = 16, .kernel = {5, 5}},
    {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
    {.kind = GLNN_LAYER_FLATTEN},
    {.units = 120},
    {.units = 84},
    {.units = MNIST_DIGITS},
};

/* Simard, Steinkraus, Platt: Best practices for convolutional neural networks applied to visual
 * document analysis (2003). A stride of 2 takes the place of pooling. */
static const glnn_layer_desc simard[] = {
    {.kind = GLNN_LAYER_CONVOLUTION,
     .units = 6,
     .kernel = {5, 5},
     .stride = {2, 2},
     .padding = {1, 1},
     .activation = GLNN_ACTIVATION_TANH},
    {.kind = GLNN_LAYER_CONVOLUTION,
     .units = 50,
     .kernel = {5, 5},
     .stride = {2, 2},
     .activation = GLNN_ACTIVATION_TANH},
    {.kind = GLNN_LAYER_FLATTEN},
    {.units = 100, .activation = GLNN_ACTIVATION_TANH},
    {.units = MNIST_DIGITS},
};

static glnn_learner *create(glnn_context *ctx, const settings *with, glnn_shape image)
{
    const bool is_lenet5 = with->net == LENET5;
    const glnn_layer_desc *layers = is_lenet5 ? lenet5 : simard;
    glnn_network_desc desc = {.shape = image,
                              .layer_count = is_lenet5 ? sizeof lenet5 / sizeof lenet5[0]
                                                       : sizeof simard / sizeof simard[0],
                              .optimizer = {.kind = GLNN_OPTIMIZER_SGD, .momentum = 0.9f},
                              .seed = with->seed};
    glnn_learner *network;
    for (int i = 0; i < desc.layer_count; ++i)
        desc.layers[i] = layers[i];
    CHECK(glnn_network_create(ctx, &desc, &network));
    for (int i = 0; i < desc.layer_count; ++i) {
        const glnn_shape out = glnn_network_get_shape(network, i);
        printf("layer %d    %-12s %3d x %2d x %2d\n", i, glnn_layer_kind_name(layers[i].kind),
               out.channels, out.height, out.width);
    }
    return network;
}

/* Seconds between two lines about an epoch that is not over. */
#define PROGRESS_SECONDS 2.0

/* `user` has the time of the latest line. */
static bool report(void *user, const glnn_report *now)
{
    double *latest = user;
    const bool is_due = now->seconds >= *latest + PROGRESS_SECONDS;
    if (now->event == GLNN_EVENT_BATCH && is_due)
        printf("%5d  %8.4f  %7.2f %%  %9s  %9.0f  batch %d of %d\n", now->epoch, now->training.loss,
               100.0 * now->training.accuracy, "", now->samples_per_second, now->batch,
               now->batches);
    if (now->event == GLNN_EVENT_EPOCH || is_due)
        *latest = now->seconds;
    if (now->event == GLNN_EVENT_EPOCH)
        printf("%5d  %8.4f  %7.2f %%  %7.2f %%  %9.0f\n", now->epoch, now->training.loss,
               100.0 * now->training.accuracy, 100.0 * now->validation.accuracy,
               now->samples_per_second);
    fflush(stdout);
    return true;
}

static void train(glnn_learner *network, const settings *with, distributed *processes,
                  const glnn_dataset *data, const glnn_dataset *test)
{
    double latest = 0;
    glnn_train_result result = {.size = sizeof result};
    glnn_train_desc desc = {.epochs = with->epochs,
                            .batch = with->batch,
                            .schedule = {.kind = GLNN_SCHEDULE_COSINE, .rate = 0.05f},
                            .seed = with->seed,
                            .validation = test,
                            .report = report,
                            .user = &latest,
                            .exchange = distributed_exchange(processes)};
    if (with->distort) {
        CHECK(glnn_distortion_add(&desc.distortion, GLNN_DISTORTION_AFFINE));
        CHECK(glnn_distortion_add(&desc.distortion, GLNN_DISTORTION_ELASTIC));
    }
    printf("\n            training images        test\n"
           "epoch      loss    correct    correct   images/s\n");
    CHECK(glnn_learner_train(network, data, &desc, &result));
    printf("\ntraining took %.1f s\n", result.train_seconds);
    distributed_show(processes, data, &result);
}

int main(int argc, char **argv)
{
    settings with;
    glnn_shape image;
    glnn_context *ctx;
    glnn_metrics metrics;
    distributed *processes;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains a convolutional network to read digits.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with,
                                 .check = check_settings},
                 argc, argv, &with);
    REQUIRE(distributed_start(&with.distributed, &processes));
    if (!distributed_is_first(processes))
        with.save = NULL;
    REQUIRE(with.save == NULL || path_writable(with.save));
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
    train(network, &with, processes, data, test);
    CHECK(glnn_learner_evaluate(network, test, &metrics, NULL));
    printf("\ntest accuracy %.2f %%\n", 100.0 * metrics.accuracy);
    if (with.save)
        CHECK(glnn_learner_save(network, with.save));

    glnn_learner_destroy(network);
    glnn_dataset_destroy(test);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    distributed_end(processes);
    return output_status();
}
