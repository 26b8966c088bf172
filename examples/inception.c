/* inception - a network whose layers form a graph learns to tell articles of clothing apart.
 *
 * An inception module looks at an image with windows of several sizes at once: four branches read
 * the same input, and their outputs become the channels of one image (Szegedy and others, *Going
 * deeper with convolutions*, 2015). Convolutions of 1 x 1 first reduce the channels, so that the
 * larger windows need few weights. Local response normalisation stands before the first module.
 *
 *     build/examples/inception --data FOLDER [--net chain]
 *
 * The folder holds MNIST, or Fashion-MNIST, whose files have the same names. The net `chain` has a
 * convolution of 3 x 3 in place of each module, and about as many weights. */
#include <glnn/glnn.h>

#include <stddef.h>
#include <stdio.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "common/mnist_data.h"
#include "common/options.h"

enum { INCEPTION, CHAIN, NETS };

typedef struct settings {
    const char *data;
    int net, epochs, batch;
    uint64_t seed;
} settings;

static const char *net_name(int net)
{
    return net == INCEPTION ? "inception" : "chain";
}

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL, MNIST_DATA_HELP},
    {"net", OPTION_CHOICE, FIELD(net), NULL, "inception", "the network", INCEPTION, NETS - 1,
     .name_of = net_name},
    {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "3", "how often each image is used", 1, 1e6},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "64", "images of a step", 1, 1e6},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1", "of the first weights and the order of images"},
};

/* Adds a layer that reads layer `from`, and returns its number. */
static int add(glnn_network_desc *net, int from, glnn_layer_desc layer)
{
    const int number = net->layer_count++;
    layer.inputs[0] = number - from;
    net->layers[number] = layer;
    return number;
}

/* A convolution or a maximum over windows of `side` pixels that keeps the size of the image. */
static int convolve(glnn_network_desc *net, int from, int channels, int side)
{
    return add(net, from,
               (glnn_layer_desc){.kind = GLNN_LAYER_CONVOLUTION,
                                 .units = channels,
                                 .kernel = {side, side},
                                 .padding = {side / 2, side / 2}});
}

static int find_maxima(glnn_network_desc *net, int from)
{
    return add(
        net, from,
        (glnn_layer_desc){
            .kind = GLNN_LAYER_MAX_POOL, .kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}});
}

/* Half of the height and width. */
static int shrink(glnn_network_desc *net, int from)
{
    return add(net, from, (glnn_layer_desc){.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}});
}

/* The channels of the branches; `to_three` and `to_five` are those before the larger windows. */
typedef struct widths {
    int one, to_three, three, to_five, five, pooled;
} widths;

static int add_module(glnn_network_desc *net, int from, widths of)
{
    const int branches[] = {
        convolve(net, from, of.one, 1),
        convolve(net, convolve(net, from, of.to_three, 1), of.three, 3),
        convolve(net, convolve(net, from, of.to_five, 1), of.five, 5),
        convolve(net, find_maxima(net, from), of.pooled, 1),
    };
    glnn_layer_desc join = {.kind = GLNN_LAYER_CONCATENATE};
    for (int i = 1; i < 4; ++i)
        join.inputs[i] = net->layer_count - branches[i];
    return add(net, branches[0], join);
}

static glnn_network_desc describe(const settings *with, glnn_shape image)
{
    const bool is_chain = with->net == CHAIN;
    glnn_network_desc net = {
        .shape = image, .optimizer = {.kind = GLNN_OPTIMIZER_ADAM}, .seed = with->seed};
    int last = shrink(&net, convolve(&net, -1, 8, 5));
    last = add(&net, last, (glnn_layer_desc){.kind = GLNN_LAYER_LOCAL_RESPONSE_NORM});
    last = is_chain ? convolve(&net, last, 24, 3)
                    : add_module(&net, last, (widths){8, 8, 12, 4, 4, 4});
    last = shrink(&net, last);
    last = is_chain ? convolve(&net, last, 44, 3)
                    : add_module(&net, last, (widths){16, 12, 24, 4, 8, 8});
    last = add(&net, last, (glnn_layer_desc){.kind = GLNN_LAYER_FLATTEN});
    add(&net, last, (glnn_layer_desc){.units = MNIST_DIGITS});
    return net;
}

/* Prints the layers, and returns the number of weights and biases. */
static size_t show(const glnn_learner *network)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    glnn_tensor_info info = {.size = sizeof info};
    size_t count = 0;
    for (int i = 0; i < desc->layer_count; ++i) {
        const glnn_shape out = glnn_network_get_shape(network, i);
        printf("layer %2d   %-20s %3d x %2d x %2d   of layer", i,
               glnn_layer_kind_name(desc->layers[i].kind), out.channels, out.height, out.width);
        for (int k = 0; k < GLNN_LAYER_MAX_INPUTS && desc->layers[i].inputs[k]; ++k)
            printf(" %d", i - desc->layers[i].inputs[k]);
        printf("\n");
    }
    for (int i = 0; i < glnn_learner_get_tensor_count(network); ++i) {
        CHECK(glnn_learner_get_tensor_info(network, i, &info));
        count += info.role[0] == 'p' ? info.count : 0;
    }
    return count;
}

static bool report(void *user, const glnn_report *now)
{
    (void)user;
    if (now->event == GLNN_EVENT_EPOCH)
        printf("epoch %2d of %d   loss %.4f   correct %.2f %%, in the test %.2f %%   %.0f s\n",
               now->epoch, now->epochs, now->training.loss, 100.0 * now->training.accuracy,
               100.0 * now->validation.accuracy, now->seconds);
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    settings with;
    glnn_shape image;
    glnn_context *ctx;
    glnn_learner *network;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains a network of inception modules on images.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with},
                 argc, argv, &with);
    const char *folder = mnist_find(with.data);
    REQUIRE(folder != NULL);

    glnn_log_set(device_print_message, NULL);
    CHECK(glnn_context_create(NULL, &ctx));
    glnn_dataset *data = mnist_load(ctx, folder, MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, &image);
    glnn_dataset *test = mnist_load(ctx, folder, MNIST_TEST_IMAGES, MNIST_TEST_LABELS, &image);
    const glnn_network_desc desc = describe(&with, image);
    CHECK(glnn_network_create(ctx, &desc, &network));
    printf("%zu weights and biases\n\n", show(network));
    CHECK(glnn_learner_train(network, data,
                             &(glnn_train_desc){.epochs = with.epochs,
                                                .batch = with.batch,
                                                .schedule = {GLNN_SCHEDULE_COSINE, .rate = 3e-3f},
                                                .seed = with.seed,
                                                .validation = test,
                                                .report = report},
                             NULL));
    glnn_learner_destroy(network);
    glnn_dataset_destroy(test);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    return output_status();
}
