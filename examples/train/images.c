#include "images.h"

#include <limits.h>
#include <stdlib.h>

#include "common/failure.h"
#include "common/mnist.h"

enum { CLASSES_MAX = 65536, SIDE_MAX = 4096 };

static bool convert_images(const char *name, const glnn_idx *idx, images *out, images_part *part)
{
    const size_t count = idx->shape[0], height = idx->shape[1], width = idx->shape[2];
    if (idx->dimensions != 3 || idx->type != GLNN_IDX_UINT8)
        return refuse("%s/%s: images are 3 dimensions of type 0x08, but this file has %d of type "
                      "0x%02x",
                      out->folder, name, idx->dimensions, (unsigned)idx->type);
    if (count > INT_MAX || height > SIDE_MAX || width > SIDE_MAX)
        return refuse("%s/%s: %zu images of %zu x %zu pixels; at most %d of %d x %d are possible",
                      out->folder, name, count, width, height, INT_MAX, SIDE_MAX, SIDE_MAX);
    if (out->width != 0 && ((int)width != out->width || (int)height != out->height))
        return refuse("%s/%s: images of %zu x %zu pixels, but those for training have %d x %d",
                      out->folder, name, width, height, out->width, out->height);
    out->width = (int)width;
    out->height = (int)height;
    part->samples = (int)count;
    part->inputs = malloc(idx->elements * sizeof *part->inputs);
    if (part->inputs == NULL)
        return refuse("%s/%s: no memory for %zu pixels", out->folder, name, idx->elements);
    return glnn_idx_get_floats(idx, 1.0f / 255.0f, part->inputs) == GLNN_OK ||
           refuse("%s/%s: %s", out->folder, name, glnn_last_error());
}

static bool convert_labels(const char *name, const glnn_idx *idx, images *out, images_part *part)
{
    if (idx->elements != (size_t)part->samples)
        return refuse("%s/%s: %zu labels for %d images", out->folder, name, idx->elements,
                      part->samples);
    part->labels = malloc(idx->elements * sizeof *part->labels);
    if (part->labels == NULL)
        return refuse("%s/%s: no memory for %zu labels", out->folder, name, idx->elements);
    if (glnn_idx_get_labels(idx, CLASSES_MAX, part->labels) != GLNN_OK)
        return refuse("%s/%s: %s", out->folder, name, glnn_last_error());
    for (int i = 0; i < part->samples; ++i)
        out->classes = part->labels[i] >= out->classes ? part->labels[i] + 1 : out->classes;
    return true;
}

static bool load_part(const char *images_name, const char *labels_name, images *out,
                      images_part *part)
{
    glnn_idx idx = {.size = sizeof idx};
    if (!mnist_read(out->folder, images_name, &idx))
        return false;
    bool done = convert_images(images_name, &idx, out, part);
    glnn_idx_free(&idx);
    if (!done || !mnist_read(out->folder, labels_name, &idx))
        return false;
    done = convert_labels(labels_name, &idx, out, part);
    glnn_idx_free(&idx);
    return done;
}

bool images_load(const char *folder, images *out)
{
    *out = (images){.folder = mnist_find(folder)};
    if (out->folder == NULL)
        return false;
    if (load_part(MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, out, &out->train) &&
        load_part(MNIST_TEST_IMAGES, MNIST_TEST_LABELS, out, &out->test))
        return true;
    images_free(out);
    return false;
}

void images_free(images *of)
{
    free(of->train.inputs);
    free(of->train.labels);
    free(of->test.inputs);
    free(of->test.labels);
    *of = (images){0};
}
