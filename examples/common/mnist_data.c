#include "mnist_data.h"

#include <stdlib.h>

#include "check.h"
#include "failure.h"
#include "mnist.h"
#include "random.h"

/* Images and labels in main memory. */
typedef struct read_set {
    int samples, *classes;
    float *inputs;
    glnn_shape image;
} read_set;

static read_set read_files(const char *folder, const char *images_name, const char *labels_name)
{
    glnn_idx images = {.size = sizeof images}, labels = {.size = sizeof labels};
    REQUIRE(mnist_read(folder, images_name, &images));
    REQUIRE(mnist_read(folder, labels_name, &labels));
    REQUIRE((images.dimensions == 3 && images.shape[0] == labels.elements) ||
            refuse("%s: %zu labels, but %s has %zu images", labels_name, labels.elements,
                   images_name, images.shape[0]));
    const read_set set = {.samples = (int)labels.elements,
                          .classes = malloc(labels.elements * sizeof *set.classes),
                          .inputs = malloc(images.elements * sizeof *set.inputs),
                          .image = {1, (int)images.shape[1], (int)images.shape[2]}};
    REQUIRE((set.inputs && set.classes) || refuse("no memory for %zu images", labels.elements));

    /* Pixels are bytes, 0 on paper and 255 in ink. A network learns best from numbers near 1. */
    CHECK(glnn_idx_get_floats(&images, 1.0f / 255.0f, set.inputs));
    CHECK(glnn_idx_get_labels(&labels, MNIST_DIGITS, set.classes));
    glnn_idx_free(&images);
    glnn_idx_free(&labels);
    return set;
}

glnn_dataset *mnist_load(glnn_context *ctx, const char *folder, const char *images_name,
                         const char *labels_name, glnn_shape *image)
{
    read_set set = read_files(folder, images_name, labels_name);
    glnn_dataset *data;
    *image = set.image;
    const glnn_dataset_desc desc = {.samples = set.samples,
                                    .features = image->height * image->width,
                                    .inputs = set.inputs,
                                    .labels = set.classes,
                                    .classes = MNIST_DIGITS,
                                    .name = images_name};
    CHECK(glnn_dataset_create(ctx, &desc, &data));
    free(set.inputs);
    free(set.classes);
    return data;
}

static glnn_matrix *create(glnn_context *ctx, int rows, int columns, glnn_layout layout)
{
    const glnn_matrix_desc desc = {.rows = rows, .columns = columns, .layout = layout};
    glnn_matrix *made;
    CHECK(glnn_matrix_create(ctx, &desc, &made));
    return made;
}

static void upload_column(glnn_context *ctx, const int *numbers, glnn_matrix *to)
{
    const int count = glnn_matrix_get_rows(to);
    float *column = malloc((size_t)count * sizeof *column);
    REQUIRE(column || refuse("no memory for %d numbers", count));
    for (int i = 0; i < count; ++i)
        column[i] = (float)numbers[i];
    CHECK(glnn_matrix_upload(ctx, to, NULL, column, 0));
    free(column);
}

mnist_matrices mnist_load_matrices(glnn_context *ctx, const char *folder, const char *images_name,
                                   const char *labels_name, int batch)
{
    read_set set = read_files(folder, images_name, labels_name);
    const int pixels = set.image.height * set.image.width;
    mnist_matrices made = {.ctx = ctx,
                           .samples = set.samples,
                           .classes = set.classes,
                           .images = create(ctx, set.samples, pixels, GLNN_LAYOUT_PAGED),
                           .labels = create(ctx, set.samples, 1, GLNN_LAYOUT_PAGED),
                           .order = create(ctx, set.samples, 1, GLNN_LAYOUT_PAGED),
                           .batch_images = create(ctx, batch, pixels, GLNN_LAYOUT_AUTO),
                           .batch_labels = create(ctx, batch, 1, GLNN_LAYOUT_AUTO)};
    REQUIRE(batch <= set.samples ||
            refuse("%s: %d images; at least %d", images_name, set.samples, batch));
    CHECK(glnn_matrix_upload(ctx, made.images, NULL, set.inputs, 0));
    upload_column(ctx, set.classes, made.labels);
    free(set.inputs);
    return made;
}

int mnist_shuffle(mnist_matrices *of, uint64_t *random)
{
    int *order = malloc((size_t)of->samples * sizeof *order);
    REQUIRE(order || refuse("no memory for %d numbers", of->samples));
    for (int i = 0; i < of->samples; ++i) {
        const int j = random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    upload_column(of->ctx, order, of->order);
    free(order);
    return of->samples / glnn_matrix_get_rows(of->batch_images);
}

void mnist_take_batch(mnist_matrices *of, int number)
{
    const int batch = glnn_matrix_get_rows(of->batch_images), first = number * batch;
    CHECK(glnn_gather_rows(of->ctx, of->images, of->order, first, batch, of->batch_images));
    CHECK(glnn_gather_rows(of->ctx, of->labels, of->order, first, batch, of->batch_labels));
}

void mnist_destroy_matrices(mnist_matrices *of)
{
    glnn_matrix *const matrices[] = {of->images, of->labels, of->order, of->batch_images,
                                     of->batch_labels};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; ++i)
        glnn_matrix_destroy(matrices[i]);
    free(of->classes);
}
