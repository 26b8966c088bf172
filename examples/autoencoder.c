/* autoencoder - a network learns to write an image as a few numbers, and to draw it from them.
 *
 * The targets of the network are its own inputs. Between them is a layer of only 16 units, so the
 * network has to find 16 numbers that say most about a digit. No labels are needed.
 *
 *     build/examples/autoencoder [FOLDER [PICTURE.png [EPOCHS]]]
 *
 * The folder holds the images of MNIST. The picture shows test images, and below each its
 * reconstruction from 16 numbers. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/mnist.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, CODE = 16 };
enum { SHOWN = 12, ZOOM = 3, GAP = 4 };

/* Reads all images of a file as numbers from 0 (paper) to 1 (ink). */
static float *read_images(const char *folder, const char *name, int *count)
{
    glnn_idx idx = {.size = sizeof idx};
    REQUIRE(mnist_read(folder, name, &idx));
    REQUIRE(idx.elements == idx.shape[0] * PIXELS ||
            refuse("%s: its images are not %d x %d pixels large", name, SIDE, SIDE));
    float *images = malloc(idx.elements * sizeof *images);
    REQUIRE(images != NULL || refuse("no memory for %zu images", idx.shape[0]));
    CHECK(glnn_idx_get_floats(&idx, 1.0f / 255.0f, images));
    *count = (int)idx.shape[0];
    glnn_idx_free(&idx);
    return images;
}

/* A data set whose targets are its inputs. */
static glnn_dataset *create_dataset(glnn_context *ctx, int count, const float *images)
{
    const glnn_dataset_desc desc = {.samples = count,
                                    .features = PIXELS,
                                    .inputs = images,
                                    .targets = images,
                                    .outputs = PIXELS};
    glnn_dataset *data;
    CHECK(glnn_dataset_create(ctx, &desc, &data));
    return data;
}

/* The first two layers write an image as CODE numbers, and the last two draw it. */
static glnn_learner *create_network(glnn_context *ctx)
{
    const glnn_network_desc desc = {
        .features = PIXELS,
        .layers = {{.units = 128, .activation = GLNN_ACTIVATION_LEAKY_RELU},
                   {.units = CODE, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.units = 128, .activation = GLNN_ACTIVATION_LEAKY_RELU},
                   {.units = PIXELS, .activation = GLNN_ACTIVATION_SIGMOID}},
        .loss = GLNN_LOSS_SQUARED,
        .optimizer = {.kind = GLNN_OPTIMIZER_ADAM},
        .seed = 1};
    glnn_learner *network;
    CHECK(glnn_network_create(ctx, &desc, &network));
    return network;
}

static bool report(void *user, const glnn_report *now)
{
    (void)user;
    if (now->event == GLNN_EVENT_EPOCH) {
        printf("epoch %2d of %d   R^2 of the pixels %.4f in training, %.4f in the test\n",
               now->epoch, now->epochs, now->training.r_squared, now->validation.r_squared);
        fflush(stdout);
    }
    return true;
}

/* Copies an image into column `column` and row `row` of the picture, ZOOM times as large. */
static void draw(const float *image, int column, int row, int width, float *picture)
{
    const int left = GAP + column * (SIDE * ZOOM + GAP), top = GAP + row * (SIDE * ZOOM + GAP);
    for (int y = 0; y < SIDE * ZOOM; ++y)
        for (int x = 0; x < SIDE * ZOOM; ++x)
            picture[(top + y) * width + left + x] = image[y / ZOOM * SIDE + x / ZOOM];
}

/* Writes a PNG file with the first test images above their reconstructions. */
static void write_picture(glnn_learner *network, const float *images, const char *path)
{
    enum { WIDTH = GAP + SHOWN * (SIDE * ZOOM + GAP), HEIGHT = GAP + 2 * (SIDE * ZOOM + GAP) };
    static float reconstructed[SHOWN * PIXELS], picture[WIDTH * HEIGHT];
    CHECK(glnn_learner_predict(network, SHOWN, images, reconstructed, NULL));
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        picture[i] = 0.5f;
    for (int i = 0; i < SHOWN; ++i) {
        draw(images + i * PIXELS, i, 0, WIDTH, picture);
        draw(reconstructed + i * PIXELS, i, 1, WIDTH, picture);
    }
    CHECK(glnn_image_write(path, 1, WIDTH, HEIGHT, picture, 0.0f, 1.0f));
    printf("%s: test images, and below each its reconstruction from %d numbers\n", path, CODE);
}

int main(int argc, char **argv)
{
    const char *picture = argc > 2 ? argv[2] : "autoencoder.png";
    const char *folder = mnist_find(argc > 1 ? argv[1] : NULL);
    int train_count, test_count;
    glnn_context *ctx;
    REQUIRE(folder != NULL);
    float *train_images = read_images(folder, MNIST_TRAIN_IMAGES, &train_count);
    float *test_images = read_images(folder, MNIST_TEST_IMAGES, &test_count);
    REQUIRE(test_count >= SHOWN || refuse("%d test images; at least %d", test_count, SHOWN));

    glnn_log_set(device_print_message, NULL);
    CHECK(glnn_context_create(NULL, &ctx));
    glnn_dataset *data = create_dataset(ctx, train_count, train_images);
    glnn_dataset *test = create_dataset(ctx, test_count, test_images);
    glnn_learner *network = create_network(ctx);
    printf("%s: %d images, each written as %d numbers\n", folder, train_count, CODE);
    CHECK(glnn_learner_train(network, data,
                             &(glnn_train_desc){.epochs = argc > 3 ? atoi(argv[3]) : 5,
                                                .batch = 64,
                                                .schedule = {GLNN_SCHEDULE_COSINE, .rate = 3e-3f},
                                                .seed = 1,
                                                .validation = test,
                                                .report = report},
                             NULL));
    write_picture(network, test_images, picture);

    glnn_learner_destroy(network);
    glnn_dataset_destroy(test);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    free(train_images);
    free(test_images);
    return EXIT_SUCCESS;
}
