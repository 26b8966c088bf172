/* 7_convolution - networks learn three signs, and meet them at places that they have not seen. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <string.h>

#include "common/check.h"

enum { SIGNS = 3, SIZE = 5, SIDE = 12, PLACES = SIDE - SIZE + 1 };
enum { SAMPLES = SIGNS * PLACES * PLACES / 2, PIXELS = SIDE * SIDE };

static const char *const signs[SIGNS] = {
    "..#..|..#..|#####|..#..|..#..",
    "#...#|.#.#.|..#..|.#.#.|#...#",
    ".###.|#...#|#...#|#...#|.###.",
};

static void draw(int sign, int top, int left, float image[PIXELS])
{
    for (int y = 0; y < SIZE; ++y)
        for (int x = 0; x < SIZE; ++x)
            image[(top + y) * SIDE + left + x] = signs[sign][y * (SIZE + 1) + x] == '#';
}

/* All signs at all places of one colour of a chessboard. */
static glnn_dataset *create_samples(glnn_context *ctx, int colour)
{
    static float images[SAMPLES][PIXELS];
    static int labels[SAMPLES];
    glnn_dataset *data;
    int count = 0;

    memset(images, 0, sizeof images);
    for (int place = 0; place < PLACES * PLACES; ++place)
        for (int sign = 0; sign < SIGNS; ++sign)
            if ((place / PLACES + place % PLACES) % 2 == colour) {
                draw(sign, place / PLACES, place % PLACES, images[count]);
                labels[count++] = sign;
            }
    CHECK(glnn_dataset_create(ctx,
                              &(glnn_dataset_desc){.samples = SAMPLES,
                                                   .features = PIXELS,
                                                   .inputs = images[0],
                                                   .labels = labels,
                                                   .classes = SIGNS},
                              &data));
    return data;
}

static void try_network(glnn_context *ctx, const char *name, const glnn_network_desc *desc)
{
    glnn_dataset *seen = create_samples(ctx, 0), *unseen = create_samples(ctx, 1);
    glnn_learner *network;
    glnn_metrics metrics[2];

    CHECK(glnn_network_create(ctx, desc, &network));
    CHECK(glnn_learner_train(
        network, seen, &(glnn_train_desc){.epochs = 100, .batch = 16, .schedule = {.rate = 0.01f}},
        NULL));
    CHECK(glnn_learner_evaluate(network, seen, &metrics[0], NULL));
    CHECK(glnn_learner_evaluate(network, unseen, &metrics[1], NULL));
    printf("%-14s %5.1f %% at the places of training, %5.1f %% at others\n", name,
           100 * metrics[0].accuracy, 100 * metrics[1].accuracy);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(seen);
    glnn_dataset_destroy(unseen);
}

int main(void)
{
    const glnn_network_desc dense = {.shape = {1, SIDE, SIDE},
                                     .layers = {{.units = 32}, {.units = SIGNS}},
                                     .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
                                     .seed = 1};
    const glnn_network_desc convolution = {
        .shape = {1, SIDE, SIDE},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 8, .kernel = {5, 5}},
                   {.kind = GLNN_LAYER_MAX_POOL, .kernel = {8, 8}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = SIGNS}},
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .seed = 1};
    glnn_context *ctx;

    CHECK(glnn_context_create(NULL, &ctx));
    try_network(ctx, "dense", &dense);
    try_network(ctx, "convolutional", &convolution);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
