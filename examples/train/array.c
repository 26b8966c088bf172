#include "array.h"

#include <glnn/npy.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

static bool make_room(const char *path, int rows, int features, bool labelled, table *out)
{
    size_t elements = (size_t)rows * (size_t)features;
    out->rows = rows;
    out->columns.features = features;
    out->inputs = malloc(elements * sizeof *out->inputs);
    out->labels = labelled ? malloc((size_t)rows * sizeof *out->labels) : NULL;
    return (out->inputs != NULL && (out->labels != NULL || !labelled)) ||
           refuse("%s: no memory for %zu numbers", path, elements);
}

static bool check_finite(const char *path, const table *of)
{
    for (int row = 0; row < of->rows; ++row)
        for (int column = 0; column < of->columns.features; ++column) {
            double value =
                (double)of->inputs[(size_t)row * (size_t)of->columns.features + (size_t)column];
            if (!isfinite(value))
                return refuse("%s: row %d, column %d (from 0) is %f, not a finite number", path,
                              row, column, value);
        }
    return true;
}

/* Moves the channels of each pixel to one plane a channel, as networks take images. */
static bool separate_channels(const char *path, table *of)
{
    const size_t channels = (size_t)of->shape.channels, size = (size_t)of->columns.features;
    const size_t pixels = size / channels;
    float *planes = malloc(size * sizeof *planes);
    if (planes == NULL)
        return refuse("%s: no memory for an image of %zu numbers", path, size);
    for (size_t i = 0; i < (size_t)of->rows; ++i) {
        float *image = of->inputs + i * size;
        for (size_t c = 0; c < channels; ++c)
            for (size_t p = 0; p < pixels; ++p)
                planes[c * pixels + p] = image[p * channels + c];
        memcpy(image, planes, size * sizeof *planes);
    }
    free(planes);
    return true;
}

static bool shapes_are_equal(glnn_shape a, glnn_shape b)
{
    return a.channels == b.channels && a.height == b.height && a.width == b.width;
}

/* Finds which of the three sizes of a sample is that of the channels. */
static bool find_channels(const char *path, const int size[3], glnn_shape given, glnn_shape *shape,
                          bool *last)
{
    const glnn_shape if_last = {size[2], size[0], size[1]}, if_first = {size[0], size[1], size[2]};
    *last = given.width > 0 ? shapes_are_equal(given, if_last) : size[2] < size[0];
    *shape = *last ? if_last : if_first;
    return given.width > 0 || size[0] != size[2] ||
           refuse("%s: samples of %d x %d x %d may have their channels first or last; use --shape "
                  "HxWxC",
                  path, size[0], size[1], size[2]);
}

/* An array of two or of more than four dimensions has samples without a shape of their own. */
static bool take_shape(const char *path, const glnn_npy *npy, glnn_shape given, table *out)
{
    const int size[3] = {(int)npy->shape[1], (int)npy->shape[2], (int)npy->shape[3]};
    bool channels_last = false;
    if (npy->dimensions == 3)
        out->shape = (glnn_shape){1, size[0], size[1]};
    else if (npy->dimensions == 4 && !find_channels(path, size, given, &out->shape, &channels_last))
        return false;
    if (out->shape.width > 0 && given.width > 0 && !shapes_are_equal(out->shape, given))
        return refuse("%s: images of %d x %d with %d channel%s, but --shape says %dx%dx%d", path,
                      out->shape.height, out->shape.width, out->shape.channels,
                      out->shape.channels == 1 ? "" : "s", given.height, given.width,
                      given.channels);
    return !channels_last || separate_channels(path, out);
}

static bool convert_inputs(const char *path, const glnn_npy *npy, bool labelled, glnn_shape given,
                           table *out)
{
    if (npy->rows > INT_MAX || npy->columns > INT_MAX)
        return refuse(
            "%s: %zu samples of %zu features; this program takes at most 2147483647 of each", path,
            npy->rows, npy->columns);
    if (!make_room(path, (int)npy->rows, (int)npy->columns, labelled, out))
        return false;
    if (glnn_npy_get_floats(npy, 1.0f, out->inputs) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return check_finite(path, out) && take_shape(path, npy, given, out);
}

static int compare(const void *a, const void *b)
{
    const int *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Each different number becomes a class with that name, in ascending order. */
static bool name_labels(const char *path, table *out)
{
    const size_t rows = (size_t)out->rows;
    int *sorted = malloc(rows * sizeof *sorted), distinct = 0;
    bool done = sorted != NULL || refuse("%s: no memory for %zu labels", path, rows);
    if (done) {
        memcpy(sorted, out->labels, rows * sizeof *sorted);
        qsort(sorted, rows, sizeof *sorted, compare);
        for (size_t i = 0; i < rows; ++i)
            if (i == 0 || sorted[i] != sorted[i - 1])
                sorted[distinct++] = sorted[i];
    }
    for (int i = 0; done && i < distinct; ++i) {
        char name[16];
        snprintf(name, sizeof name, "%d", sorted[i]);
        done = classes_add(&out->classes, name) >= 0;
    }
    for (size_t i = 0; done && i < rows; ++i) {
        const int *found =
            bsearch(&out->labels[i], sorted, (size_t)distinct, sizeof *sorted, compare);
        out->labels[i] = (int)(found - sorted);
    }
    free(sorted);
    return done;
}

static bool convert_labels(const char *path, const char *inputs, const glnn_npy *npy, table *out)
{
    if (npy->rows != (size_t)out->rows)
        return refuse("%s: %zu labels, but %s has %d samples", path, npy->rows, inputs, out->rows);
    if (glnn_npy_get_labels(npy, INT_MAX, out->labels) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return name_labels(path, out);
}

bool array_read(const char *path, const char *labels, glnn_shape given,
                const glnn_csv_columns *like, table *out)
{
    glnn_npy npy = {.size = sizeof npy};
    if (glnn_npy_read(path, &npy) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    bool done = like == NULL || npy.columns == (size_t)like->features ||
                refuse("%s has %zu columns of features, but there should be %d", path, npy.columns,
                       like->features);
    done = done && convert_inputs(path, &npy, labels != NULL, given, out);
    glnn_npy_free(&npy);
    if (!done || labels == NULL)
        return done;
    if (glnn_npy_read(labels, &npy) != GLNN_OK)
        return refuse("%s", glnn_last_error());
    done = convert_labels(labels, path, &npy, out);
    glnn_npy_free(&npy);
    return done;
}
