/* adversarial - two networks play against each other, so that codes of images fill a known shape.
 *
 * An encoder writes each digit as a code of two numbers, and a decoder draws it again. A
 * discriminator learns to tell these codes from pairs of normal random numbers. The encoder also
 * learns from the discriminator, in the opposite direction: its codes shall look like normal
 * numbers. In the end any pair of normal numbers is the code of some digit, and the decoder draws
 * digits that nobody has written (Makhzani, Shlens, Jaitly, Goodfellow and Frey, *Adversarial
 * autoencoders*, 2015).
 *
 *     build/examples/adversarial --data FOLDER --picture digits.png
 *
 * The picture has the digits of a grid of codes. */
#include <glnn/glnn.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/matrix.h"
#include "common/mnist.h"
#include "common/mnist_data.h"
#include "common/options.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, CODE = 2, GRID = 16, DRAWN = GRID * GRID };

typedef struct settings {
    const char *data, *picture;
    int epochs, batch;
    uint64_t seed;
} settings;

#define FIELD(member) .field = offsetof(settings, member)

static const option_row rows[] = {
    {"data", OPTION_TEXT, FIELD(data), "DIR", NULL, MNIST_DATA_HELP},
    {"picture", OPTION_TEXT, FIELD(picture), "FILE", "adversarial.png", "the picture, a PNG file"},
    {"epochs", OPTION_INTEGER, FIELD(epochs), "N", "5", "how often each image is used", 1, 1e6},
    {"batch", OPTION_INTEGER, FIELD(batch), "N", "128", "images of a step", 1, 4096},
    {"seed", OPTION_SEED, FIELD(seed), "N", "1", "of the first weights and the order of images"},
};

/* The networks, and the matrices between them: outputs, and derivatives of losses by them. */
typedef struct players {
    glnn_context *ctx;
    glnn_learner *encoder, *decoder, *discriminator;
    glnn_matrix *codes, *normal, *by_codes, *by_judged;
    glnn_matrix *pixels; /* of the decoder, before the sigmoid; then the derivative by them */
    glnn_matrix *scores; /* of the discriminator, before the sigmoid */
    glnn_matrix *by_scores, *ones, *zeros;
} players;

/* A network with two hidden layers, whose loss the program computes itself. */
static glnn_learner *create_network(glnn_context *ctx, const settings *with, int inputs, int hidden,
                                    int outputs)
{
    const glnn_network_desc desc = {
        .features = inputs,
        .layers = {{.units = hidden}, {.units = hidden}, {.units = outputs}},
        .loss = GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .capacity = with->batch,
        .seed = with->seed};
    glnn_learner *network;
    CHECK(glnn_network_create(ctx, &desc, &network));
    return network;
}

static players create_players(glnn_context *ctx, const settings *with)
{
    const int batch = with->batch;
    const players p = {.ctx = ctx,
                       .encoder = create_network(ctx, with, PIXELS, 256, CODE),
                       .decoder = create_network(ctx, with, CODE, 256, PIXELS),
                       .discriminator = create_network(ctx, with, CODE, 64, 1),
                       .codes = create_matrix(ctx, batch, CODE),
                       .normal = create_matrix(ctx, batch, CODE),
                       .by_codes = create_matrix(ctx, batch, CODE),
                       .by_judged = create_matrix(ctx, batch, CODE),
                       .pixels = create_matrix(ctx, batch, PIXELS),
                       .scores = create_matrix(ctx, batch, 1),
                       .by_scores = create_matrix(ctx, batch, 1),
                       .ones = create_matrix(ctx, batch, 1),
                       .zeros = create_matrix(ctx, batch, 1)};
    CHECK(glnn_fill(ctx, 1, p.ones));
    CHECK(glnn_fill(ctx, 0, p.zeros));
    return p;
}

static void destroy_players(players *p)
{
    glnn_matrix *const matrices[] = {p->codes,  p->normal,    p->by_codes, p->by_judged, p->pixels,
                                     p->scores, p->by_scores, p->ones,     p->zeros};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i)
        glnn_matrix_destroy(matrices[i]);
    glnn_learner_destroy(p->encoder);
    glnn_learner_destroy(p->decoder);
    glnn_learner_destroy(p->discriminator);
}

/* outputs become the derivative of the mean cross-entropy of their sigmoid: (sigmoid - target) / n,
 * times a weight. */
static void differentiate(const players *p, glnn_matrix *outputs, const glnn_matrix *targets,
                          glnn_matrix *out)
{
    const float share = 1.0f / (float)glnn_matrix_get_rows(out);
    CHECK(glnn_map_apply(p->ctx, GLNN_MAP_SIGMOID, outputs, out));
    CHECK(glnn_axpby(p->ctx, -share, targets, share, out));
}

/* The images become codes and images again. Leaves the derivative by the codes. */
static void reconstruct(const players *p, const glnn_matrix *images, float rate)
{
    CHECK(glnn_network_forward(p->encoder, images, true, p->codes));
    CHECK(glnn_network_forward(p->decoder, p->codes, true, p->pixels));
    differentiate(p, p->pixels, images, p->pixels);
    CHECK(glnn_network_backward(p->decoder, p->pixels, p->by_codes));
    CHECK(glnn_network_update(p->decoder, rate));
}

/* The discriminator's target is 1 for normal numbers and 0 for codes. The encoder wants 1 for its
 * codes. That gradient goes back through the discriminator to the codes, and changes nothing
 * else. */
static void judge(const players *p, uint64_t seed, float rate)
{
    CHECK(glnn_network_forward(p->discriminator, p->codes, true, p->scores));
    differentiate(p, p->scores, p->ones, p->by_scores);
    CHECK(glnn_network_backward_to_inputs(p->discriminator, p->by_scores, p->by_judged));
    differentiate(p, p->scores, p->zeros, p->by_scores);
    CHECK(glnn_network_backward(p->discriminator, p->by_scores, NULL));

    CHECK(glnn_fill_normal(p->ctx, seed, 0, 1, p->normal));
    CHECK(glnn_network_forward(p->discriminator, p->normal, true, p->scores));
    differentiate(p, p->scores, p->ones, p->by_scores);
    CHECK(glnn_network_backward(p->discriminator, p->by_scores, NULL));
    CHECK(glnn_network_update(p->discriminator, rate));
}

/* All stays in textures. */
static void step(const players *p, const glnn_matrix *images, uint64_t seed, float rate)
{
    const float weight = 20; /* of a code that can be told from normal numbers */
    reconstruct(p, images, rate);
    judge(p, seed, rate);
    CHECK(glnn_axpy(p->ctx, weight, p->by_judged, p->by_codes));
    CHECK(glnn_network_backward(p->encoder, p->by_codes, NULL));
    CHECK(glnn_network_update(p->encoder, rate));
}

/* Draws codes; the caller destroys the result. */
static glnn_matrix *decode(const players *p, const glnn_matrix *codes)
{
    glnn_matrix *images = create_matrix(p->ctx, glnn_matrix_get_rows(codes), PIXELS);
    CHECK(glnn_learner_predict_matrix(p->decoder, codes, images));
    CHECK(glnn_map_apply(p->ctx, GLNN_MAP_SIGMOID, images, images));
    return images;
}

/* Prints the error of the reconstructions of test images, and the moments of their codes: those of
 * normal numbers are 0, 1, 0 and 3. */
static void measure(const players *p, const mnist_matrices *test, int epoch)
{
    glnn_matrix *codes = create_matrix(p->ctx, test->samples, CODE),
                *sum = create_matrix(p->ctx, 1, 1);
    float error, *values = malloc((size_t)test->samples * CODE * sizeof *values);
    double moments[CODE][4] = {{0}}, product = 0;
    REQUIRE(values || refuse("no memory for %d codes", test->samples));
    CHECK(glnn_learner_predict_matrix(p->encoder, test->images, codes));
    glnn_matrix *images = decode(p, codes);
    CHECK(glnn_axpy(p->ctx, -1, test->images, images));
    CHECK(glnn_reduce(p->ctx, GLNN_REDUCTION_SUM_OF_SQUARES, GLNN_AXIS_ALL, images, sum));
    CHECK(glnn_matrix_download(p->ctx, sum, NULL, &error, 0));
    CHECK(glnn_matrix_download(p->ctx, codes, NULL, values, 0));
    for (int i = 0; i < CODE * test->samples; ++i)
        for (int k = 0; k < 4; ++k)
            moments[i % CODE][k] += pow((double)values[i], k + 1) / test->samples;
    for (int i = 0; i < test->samples; ++i)
        product += (double)values[CODE * i] * (double)values[CODE * i + 1] / test->samples;
    printf("epoch %3d   squared error of a pixel %.4f   codes: mean %.2f %.2f   E x^2 %.2f %.2f   "
           "E xy %.2f   E x^4 %.1f %.1f\n",
           epoch, (double)error / PIXELS / test->samples, moments[0][0], moments[1][0],
           moments[0][1], moments[1][1], product, moments[0][3], moments[1][3]);
    fflush(stdout);
    free(values);
    glnn_matrix_destroy(images);
    glnn_matrix_destroy(codes);
    glnn_matrix_destroy(sum);
}

/* Draws the codes of a grid from -2 to 2 in both numbers. */
static void draw(const players *p, const char *path)
{
    static float values[DRAWN][CODE], drawn[DRAWN][PIXELS], picture[DRAWN * PIXELS];
    glnn_matrix *codes = create_matrix(p->ctx, DRAWN, CODE);
    for (int i = 0; i < DRAWN; ++i) {
        values[i][0] = 4.0f * (float)(i % GRID) / (GRID - 1) - 2.0f;
        values[i][1] = 4.0f * (float)(i / GRID) / (GRID - 1) - 2.0f;
    }
    CHECK(glnn_matrix_upload(p->ctx, codes, NULL, &values[0][0], 0));
    glnn_matrix *images = decode(p, codes);
    CHECK(glnn_matrix_download(p->ctx, images, NULL, &drawn[0][0], 0));
    for (int i = 0; i < DRAWN; ++i)
        for (int k = 0; k < PIXELS; ++k)
            picture[(i / GRID * SIDE + k / SIDE) * GRID * SIDE + i % GRID * SIDE + k % SIDE] =
                drawn[i][k];
    CHECK(glnn_image_write(path, 1, GRID * SIDE, GRID * SIDE, picture, 0, 1));
    printf("%s: the digits of a grid of codes\n", path);
    glnn_matrix_destroy(images);
    glnn_matrix_destroy(codes);
}

int main(int argc, char **argv)
{
    settings with;
    glnn_context *ctx;
    options_read(&(option_table){.program = argv[0],
                                 .summary = "Trains an adversarial autoencoder.",
                                 .rows = rows,
                                 .count = sizeof rows / sizeof rows[0],
                                 .size = sizeof with},
                 argc, argv, &with);
    const char *folder = mnist_find(with.data);
    REQUIRE(folder != NULL && path_writable(with.picture));

    glnn_log_set(device_print_message, NULL);
    CHECK(glnn_context_create(NULL, &ctx));
    mnist_matrices data =
        mnist_load_matrices(ctx, folder, MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, with.batch);
    mnist_matrices test =
        mnist_load_matrices(ctx, folder, MNIST_TEST_IMAGES, MNIST_TEST_LABELS, with.batch);
    REQUIRE(glnn_matrix_get_columns(data.images) == PIXELS ||
            refuse("%s: its images are not %d x %d pixels large", folder, SIDE, SIDE));
    players p = create_players(ctx, &with);
    uint64_t random = with.seed, steps = 0;
    for (int epoch = 1; epoch <= with.epochs; ++epoch) {
        const int batches = mnist_shuffle(&data, &random);
        for (int i = 0; i < batches; ++i) {
            mnist_take_batch(&data, i);
            step(&p, data.batch_images, ++steps, 1e-3f * powf(0.9f, (float)(epoch - 1)));
        }
        measure(&p, &test, epoch);
    }
    draw(&p, with.picture);

    destroy_players(&p);
    mnist_destroy_matrices(&test);
    mnist_destroy_matrices(&data);
    glnn_context_destroy(ctx);
    return output_status();
}
