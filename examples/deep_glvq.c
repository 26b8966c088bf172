/* deep_glvq - a network and the prototypes that classify its outputs learn together.
 *
 * GLVQ alone compares the pixels of a digit with those of ten prototypes, but a digit that is
 * shifted is far from itself. Here a network maps each image to a point of 16 numbers, and the
 * prototypes lie among these points. The loss of GLVQ has a derivative by the points. With it the
 * network learns to bring images near the prototype of their class.
 *
 * Source: Villmann, Biehl, Villmann, Saralajew, *Fusion of deep learning architectures, multilayer
 * feedforward networks and learning vector quantizers for deep classification learning* (2017).
 *
 *     build/examples/deep_glvq --data FOLDER
 *
 * Each image is closest to one prototype, so an answer can be explained by it. */
#include <glnn/glnn.h>

#include <stddef.h>
#include <stdio.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/matrix.h"
#include "common/mnist.h"
#include "common/mnist_data.h"
#include "common/options.h"

enum { POINT = 16 };

typedef struct settings {
    const char *data;
    int epochs, batch, prototypes;
    uint64_t seed;
} settings;

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL, MNIST_DATA_HELP},
    {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "3", "how often each image is used", 1, 1e6},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "128", "images of a step", 1, 4096},
    {"prototypes", OPTION_INTEGER, FIELD(prototypes), "N", "1", "prototypes of a digit", 1, 1000},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1", "of the first weights and the order of images"},
};

/* The two learners, and the matrices between them. */
typedef struct chain {
    glnn_learner *network, *lvq;
    glnn_matrix *points, *by_points; /* outputs of the network, and the derivative by them */
} chain;

static chain create_chain(glnn_context *ctx, const settings *with, int pixels)
{
    const glnn_network_desc network = {
        .features = pixels,
        .layers = {{.units = 128}, {.units = POINT, .activation = GLNN_ACTIVATION_IDENTITY}},
        .loss = GLNN_LOSS_SQUARED, /* is not used */
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .capacity = with->batch,
        .seed = with->seed};
    const glnn_lvq_desc lvq = {.features = POINT,
                               .classes = MNIST_DIGITS,
                               .prototypes = with->prototypes,
                               .seed = with->seed};
    chain c = {.points = create_matrix(ctx, with->batch, POINT),
               .by_points = create_matrix(ctx, with->batch, POINT)};
    CHECK(glnn_network_create(ctx, &network, &c.network));
    CHECK(glnn_lvq_create(ctx, &lvq, &c.lvq));
    return c;
}

static void destroy_chain(chain *c)
{
    glnn_learner_destroy(c->network);
    glnn_learner_destroy(c->lvq);
    glnn_matrix_destroy(c->points);
    glnn_matrix_destroy(c->by_points);
}

/* The points of all images, as samples for the prototypes. The matrix becomes the caller's. */
static glnn_dataset *map_images(const chain *c, const mnist_matrices *of, glnn_matrix **points)
{
    glnn_dataset *data;
    *points = create_matrix(of->ctx, of->samples, POINT);
    CHECK(glnn_learner_predict_matrix(c->network, of->images, *points));
    const glnn_dataset_matrices_desc desc = {
        .inputs = *points, .labels = of->classes, .classes = MNIST_DIGITS};
    CHECK(glnn_dataset_create_from_matrices(of->ctx, &desc, &data));
    return data;
}

static void place_prototypes(const chain *c, const mnist_matrices *of)
{
    glnn_matrix *points;
    glnn_dataset *data = map_images(c, of, &points);
    CHECK(glnn_learner_initialise(c->lvq, data));
    glnn_dataset_destroy(data);
    glnn_matrix_destroy(points);
}

static double test_accuracy(const chain *c, const mnist_matrices *of)
{
    glnn_matrix *points;
    glnn_metrics metrics;
    glnn_dataset *data = map_images(c, of, &points);
    CHECK(glnn_learner_evaluate(c->lvq, data, &metrics, NULL));
    glnn_dataset_destroy(data);
    glnn_matrix_destroy(points);
    return metrics.accuracy;
}

/* All stays in textures. */
static void step(const chain *c, const mnist_matrices *of)
{
    CHECK(glnn_network_forward(c->network, of->batch_images, true, c->points));
    CHECK(glnn_lvq_backward(c->lvq, c->points, of->batch_labels, c->by_points));
    CHECK(glnn_network_backward(c->network, c->by_points, NULL));
    CHECK(glnn_network_update(c->network, 0.001f));
    CHECK(glnn_lvq_update(c->lvq, 0.005f));
}

static void train(const chain *c, const settings *with, mnist_matrices *data,
                  const mnist_matrices *test)
{
    uint64_t random = with->seed;
    glnn_metrics metrics;
    printf("before     test accuracy %.2f %%\n", 100.0 * test_accuracy(c, test));
    for (int epoch = 1; epoch <= with->epochs; ++epoch) {
        const int batches = mnist_shuffle(data, &random);
        for (int i = 0; i < batches; ++i) {
            mnist_take_batch(data, i);
            step(c, data);
        }
        CHECK(glnn_lvq_take_metrics(c->lvq, &metrics));
        printf("epoch %3d  loss %.4f, training accuracy %.2f %%, test accuracy %.2f %%\n", epoch,
               metrics.loss, 100.0 * metrics.accuracy, 100.0 * test_accuracy(c, test));
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    settings with;
    glnn_context *ctx;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains a network and its prototypes to read digits.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with},
                 argc, argv, &with);
    const char *folder = mnist_find(with.data);
    REQUIRE(folder != NULL);

    glnn_log_set(device_print_message, NULL);
    CHECK(glnn_context_create(NULL, &ctx));
    mnist_matrices data =
        mnist_load_matrices(ctx, folder, MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, with.batch);
    mnist_matrices test =
        mnist_load_matrices(ctx, folder, MNIST_TEST_IMAGES, MNIST_TEST_LABELS, with.batch);
    chain c = create_chain(ctx, &with, glnn_matrix_get_columns(data.images));
    place_prototypes(&c, &data);
    train(&c, &with, &data, &test);

    destroy_chain(&c);
    mnist_destroy_matrices(&test);
    mnist_destroy_matrices(&data);
    glnn_context_destroy(ctx);
    return output_status();
}
