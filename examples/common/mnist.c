#include "mnist.h"

#include <glnn/idx.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "digits.h"
#include "failure.h"

static const char default_folder[] = "data/mnist", digits_folder[] = "data/digits";

/* The path of a file that may be compressed; false where there is neither. */
static bool find_file(const char *folder, const char *name, char path[PATH_CAPACITY])
{
    char compressed[64];
    snprintf(compressed, sizeof compressed, "%s.gz", name);
    if (!path_join(path, folder, compressed))
        return false;
    if (access(path, F_OK) == 0)
        return true;
    if (!path_join(path, folder, name))
        return false;
    if (access(path, F_OK) == 0)
        return true;
    return refuse("the folder %s has no file %s or %s", folder, name, compressed);
}

static const char *const names[] = {MNIST_TRAIN_IMAGES, MNIST_TRAIN_LABELS, MNIST_TEST_IMAGES,
                                    MNIST_TEST_LABELS};

static int count_files(const char *folder)
{
    char path[PATH_CAPACITY];
    int count = 0;
    for (int i = 0; i < 4; ++i)
        count += find_file(folder, names[i], path);
    return count;
}

static bool is_file_of(const char *folder, const char *path)
{
    char file[PATH_CAPACITY];
    for (int i = 0; i < 4; ++i)
        if (find_file(folder, names[i], file) && path_same(file, path))
            return true;
    return false;
}

bool mnist_reads(const char *folder, const char *path)
{
    const char *named = folder ? folder : getenv("GLNN_DATA_DIR");
    if (named)
        return is_file_of(named, path);
    return is_file_of(default_folder, path) || is_file_of(digits_folder, path);
}

static bool convert_images(const char *path, const glnn_idx *idx, mnist_part *part)
{
    if (idx->dimensions != 3 || idx->type != GLNN_IDX_UINT8)
        return refuse("%s: images are 3 dimensions of type 0x08, this file has %d of type 0x%02x",
                      path, idx->dimensions, (unsigned)idx->type);
    if (idx->shape[0] > INT_MAX || idx->shape[1] > 4096 || idx->shape[2] > 4096)
        return refuse(
            "%s: %zu images of %zu x %zu pixels are more or larger than this program takes", path,
            idx->shape[0], idx->shape[2], idx->shape[1]);
    part->samples = (int)idx->shape[0];
    part->inputs = malloc(idx->elements * sizeof *part->inputs);
    if (part->inputs == NULL)
        return refuse("%s: no memory for %zu pixels", path, idx->elements);
    if (glnn_idx_get_floats(idx, 1.0f / 255.0f, part->inputs) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return true;
}

static bool read_file(const char *folder, const char *name, char path[PATH_CAPACITY], glnn_idx *idx)
{
    if (!find_file(folder, name, path))
        return false;
    return glnn_idx_read(path, idx) == GLNN_OK || refuse("%s", glnn_last_error());
}

static bool load_images(const char *folder, const char *name, mnist *out, mnist_part *part)
{
    char path[PATH_CAPACITY];
    glnn_idx idx = {.size = sizeof idx};
    if (!read_file(folder, name, path, &idx))
        return false;
    bool done = convert_images(path, &idx, part);
    int height = (int)idx.shape[1], width = (int)idx.shape[2];
    glnn_idx_free(&idx);
    if (done && out->width != 0 && (width != out->width || height != out->height))
        return refuse("%s: images of %d x %d pixels, but those for training have %d x %d", path,
                      width, height, out->width, out->height);
    out->width = width;
    out->height = height;
    return done;
}

static bool convert_labels(const char *path, const glnn_idx *idx, mnist *out, mnist_part *part)
{
    if (idx->shape[0] != (size_t)part->samples)
        return refuse("%s: %zu labels for %d images", path, idx->shape[0], part->samples);
    part->labels = malloc(idx->elements * sizeof *part->labels);
    if (part->labels == NULL)
        return refuse("%s: no memory for %zu labels", path, idx->elements);
    if (glnn_idx_get_labels(idx, MNIST_CLASSES_MAX, part->labels) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    for (int i = 0; i < part->samples; ++i)
        out->classes = part->labels[i] >= out->classes ? part->labels[i] + 1 : out->classes;
    return true;
}

static bool load_labels(const char *folder, const char *name, mnist *out, mnist_part *part)
{
    char path[PATH_CAPACITY];
    glnn_idx idx = {.size = sizeof idx};
    if (!read_file(folder, name, path, &idx))
        return false;
    bool done = convert_labels(path, &idx, out, part);
    glnn_idx_free(&idx);
    return done;
}

static bool load_folder(const char *folder, mnist *out)
{
    snprintf(out->folder, sizeof out->folder, "%s", folder);
    return load_images(folder, MNIST_TRAIN_IMAGES, out, &out->train) &&
           load_labels(folder, MNIST_TRAIN_LABELS, out, &out->train) &&
           load_images(folder, MNIST_TEST_IMAGES, out, &out->test) &&
           load_labels(folder, MNIST_TEST_LABELS, out, &out->test);
}

static bool load_generated(mnist *out)
{
    out->generated = true;
    if (count_files(digits_folder) < 4 &&
        !digits_write(digits_folder, DIGITS_SEED, DIGITS_TRAIN, DIGITS_TEST))
        return false;
    return load_folder(digits_folder, out);
}

bool mnist_load(const char *folder, mnist *out)
{
    const char *variable = getenv("GLNN_DATA_DIR");
    *out = (mnist){0};
    if (folder == NULL && variable != NULL && variable[0] != '\0')
        folder = variable;
    /* Some of the files only is a download that was cut short, to be reported and not replaced. */
    if (folder == NULL && count_files(default_folder) > 0)
        folder = default_folder;
    bool done = folder ? load_folder(folder, out) : load_generated(out);
    if (!done)
        mnist_free(out);
    return done;
}

void mnist_free(mnist *data)
{
    free(data->train.inputs);
    free(data->train.labels);
    free(data->test.inputs);
    free(data->test.labels);
    *data = (mnist){0};
}
