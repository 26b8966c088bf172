#include "mnist_data.h"

#include <stdlib.h>

#include "check.h"
#include "failure.h"
#include "mnist.h"

glnn_dataset *mnist_load(glnn_context *ctx, const char *folder, const char *images_name,
                         const char *labels_name, glnn_shape *image)
{
    glnn_idx images = {.size = sizeof images}, labels = {.size = sizeof labels};
    glnn_dataset *data;
    REQUIRE(mnist_read(folder, images_name, &images));
    REQUIRE(mnist_read(folder, labels_name, &labels));
    REQUIRE((images.dimensions == 3 && images.shape[0] == labels.elements) ||
            refuse("%s: %zu labels, but %s has %zu images", labels_name, labels.elements,
                   images_name, images.shape[0]));
    *image = (glnn_shape){1, (int)images.shape[1], (int)images.shape[2]};

    /* Pixels are bytes, 0 on paper and 255 in ink. A network learns best from numbers near 1. */
    float *inputs = malloc(images.elements * sizeof *inputs);
    int *classes = malloc(labels.elements * sizeof *classes);
    REQUIRE((inputs && classes) || refuse("no memory for %zu images", labels.elements));
    CHECK(glnn_idx_get_floats(&images, 1.0f / 255.0f, inputs));
    CHECK(glnn_idx_get_labels(&labels, MNIST_DIGITS, classes));
    const glnn_dataset_desc desc = {.samples = (int)labels.elements,
                                    .features = image->height * image->width,
                                    .inputs = inputs,
                                    .labels = classes,
                                    .classes = MNIST_DIGITS,
                                    .name = images_name};
    CHECK(glnn_dataset_create(ctx, &desc, &data));
    free(inputs);
    free(classes);
    glnn_idx_free(&images);
    glnn_idx_free(&labels);
    return data;
}
