#include "exhibit.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/mnist.h"
#include "common/mnist_data.h"
#include "common/random.h"

/* ---- Test images */

void exhibit_open(exhibit *out, const char *folder)
{
    memset(out, 0, sizeof *out);
    out->images.size = out->labels.size = sizeof out->images;
    REQUIRE(mnist_read(folder, MNIST_TEST_IMAGES, &out->images));
    REQUIRE(mnist_read(folder, MNIST_TEST_LABELS, &out->labels));
    REQUIRE((out->images.dimensions == 3 && out->images.shape[0] == out->labels.elements) ||
            refuse("%s: %zu labels, but %s has %zu images", MNIST_TEST_LABELS, out->labels.elements,
                   MNIST_TEST_IMAGES, out->images.shape[0]));
}

void exhibit_close(exhibit *of)
{
    exhibit_hide(of);
    glnn_idx_free(&of->images);
    glnn_idx_free(&of->labels);
}

static int pixels_of(const exhibit *of)
{
    return (int)(of->images.shape[1] * of->images.shape[2]);
}

void exhibit_change(exhibit *of)
{
    const size_t pixels = (size_t)pixels_of(of);
    float *inputs = malloc(EXHIBIT_DIGITS * pixels * sizeof *inputs);
    REQUIRE(inputs != NULL || refuse("no memory for %d images", EXHIBIT_DIGITS));
    for (size_t i = 0; i < EXHIBIT_DIGITS; ++i) {
        const size_t number = (size_t)random_below(&of->random, (int)of->labels.elements);
        const uint8_t *image = (const uint8_t *)of->images.data + number * pixels;
        for (size_t pixel = 0; pixel < pixels; ++pixel)
            inputs[i * pixels + pixel] = (float)image[pixel] / 255.0f;
        of->digits[i] = ((const uint8_t *)of->labels.data)[number];
        of->answers[i] = -1;
    }
    CHECK(glnn_download_end(of->download, NULL, 0)); /* of the images before */
    of->download = NULL;
    CHECK(glnn_matrix_upload(of->ctx, of->inputs, NULL, inputs, 0));
    free(inputs);
}

/* ---- A network */

static glnn_matrix *create_matrix(exhibit *of, int columns, const char *name)
{
    glnn_matrix *matrix;
    CHECK(
        glnn_matrix_create(of->ctx,
                           &(glnn_matrix_desc){.rows = EXHIBIT_DIGITS,
                                               .columns = columns,
                                               .layout = glnn_network_get_desc(of->network)->layout,
                                               .name = name},
                           &matrix));
    return matrix;
}

/* The least power of two that makes the picture of a layer at least as wide as tall. */
static int width_for(int units)
{
    int width = 1;
    while (width * width < units)
        width *= 2;
    return width;
}

static void create_pictures(exhibit *of)
{
    const int width = (int)of->images.shape[2], pixels = pixels_of(of);
    REQUIRE(pictures_create(&(pictures_desc){EXHIBIT_DIGITS, pixels, width, false, PICTURES_GRAY},
                            &of->shown));
    REQUIRE(pictures_create(&(pictures_desc){glnn_network_get_shape(of->network, 0).channels,
                                             pixels, width, true, PICTURES_SIGNED},
                            &of->weights));
    for (int i = 0; i < of->hidden; ++i) {
        const int units = glnn_network_get_shape(of->network, i).channels;
        REQUIRE(pictures_create(
            &(pictures_desc){EXHIBIT_DIGITS, units, width_for(units), false, PICTURES_HEAT},
            &of->activations[i]));
    }
}

void exhibit_show(exhibit *of, glnn_context *ctx, glnn_learner *network)
{
    of->ctx = ctx;
    of->network = network;
    of->hidden = glnn_network_get_desc(network)->layer_count - 1;
    of->inputs = create_matrix(of, pixels_of(of), "test images");
    of->outputs = create_matrix(of, glnn_learner_get_outputs(network), "answers");
    create_pictures(of);
    of->random = 1; /* each network begins with the same images */
    exhibit_change(of);
}

void exhibit_hide(exhibit *of)
{
    if (of->network == NULL)
        return;
    CHECK(glnn_download_end(of->download, NULL, 0));
    glnn_matrix_destroy(of->inputs);
    glnn_matrix_destroy(of->outputs);
    pictures_destroy(of->shown);
    pictures_destroy(of->weights);
    for (int i = 0; i < of->hidden; ++i)
        pictures_destroy(of->activations[i]);
    of->download = NULL;
    of->network = NULL;
    of->has_asked = false;
}

/* ---- Answers */

static void read_answers(exhibit *of)
{
    float outputs[EXHIBIT_DIGITS][MNIST_DIGITS];
    CHECK(glnn_download_end(of->download, outputs[0], 0));
    of->download = NULL;
    for (int i = 0; i < EXHIBIT_DIGITS; ++i) {
        of->answers[i] = 0;
        for (int digit = 1; digit < MNIST_DIGITS; ++digit)
            if (outputs[i][digit] > outputs[i][of->answers[i]])
                of->answers[i] = digit;
    }
}

void exhibit_ask(exhibit *of)
{
    if (glnn_download_is_ready(of->download))
        read_answers(of);
    CHECK(glnn_learner_predict_matrix(of->network, of->inputs, of->outputs));
    of->has_asked = true;
    if (of->download == NULL)
        CHECK(glnn_download_begin(of->ctx, of->outputs, NULL, &of->download));
}

/* ---- Pictures */

void exhibit_draw_digits(exhibit *of)
{
    REQUIRE(pictures_draw(of->shown, of->inputs, EXHIBIT_DIGITS));
    for (int i = 0; of->has_asked && i < of->hidden; ++i) {
        const glnn_matrix *activations;
        CHECK(glnn_network_get_activation_matrix(of->network, i, &activations));
        REQUIRE(pictures_draw(of->activations[i], activations, EXHIBIT_DIGITS));
    }
}

void exhibit_draw_weights(exhibit *of, int columns)
{
    const glnn_matrix *weights;
    CHECK(glnn_learner_get_tensor_matrix(of->network, "0.weight", &weights));
    REQUIRE(pictures_draw(of->weights, weights, columns));
}
