#include "picture.h"

#include <glnn/idx.h>
#include <glnn/image.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"

/* Images as a file has them. */
typedef struct source {
    int count, channels, width, height;
    float *pixels;
} source;

bool picture_find_shape(int inputs, glnn_shape *shape)
{
    if (shape->width == 0) {
        const int side = (int)lround(sqrt(inputs));
        *shape = (glnn_shape){1, side, side};
    }
    return shape->channels * shape->height * shape->width == inputs ||
           refuse("the model is for %d feature%s, not for images", inputs, inputs == 1 ? "" : "s");
}

static bool is_png(const char *path, bool *png)
{
    unsigned char first = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return refuse("cannot open %s: %s", path, strerror(errno));
    errno = 0;
    const bool is_read = fread(&first, 1, 1, file) == 1;
    const int error = errno;
    fclose(file);
    if (!is_read && error)
        return refuse("cannot read %s: %s", path, strerror(error));
    if (!is_read)
        return refuse("%s: the file is empty", path);
    *png = first == 0x89;
    return true;
}

static bool convert_idx(const char *path, const glnn_idx *idx, source *out)
{
    int last = idx->dimensions - 1;
    if (last < 1 || last > 2 || idx->type != GLNN_IDX_UINT8)
        return refuse(
            "%s: an image has 2 dimensions of type 0x08, several have 3; this file has %d "
            "of type 0x%02x",
            path, idx->dimensions, (unsigned)idx->type);
    size_t count = last == 2 ? idx->shape[0] : 1;
    if (count > INT_MAX || idx->shape[last] > 16384 || idx->shape[last - 1] > 16384)
        return refuse(
            "%s: %zu images of %zu x %zu pixels; at most 2147483647 of 16384 x 16384 are possible",
            path, count, idx->shape[last], idx->shape[last - 1]);
    out->count = (int)count;
    out->channels = 1;
    out->width = (int)idx->shape[last];
    out->height = (int)idx->shape[last - 1];
    out->pixels = malloc(idx->elements * sizeof *out->pixels);
    if (out->pixels == NULL)
        return refuse("%s: no memory for %zu pixels", path, idx->elements);
    if (glnn_idx_get_floats(idx, 1.0f / 255.0f, out->pixels) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return true;
}

static bool read_source(const char *path, int channels, source *out)
{
    glnn_idx idx = {.size = sizeof idx};
    bool png = false;
    if (!is_png(path, &png))
        return false;
    if (png) {
        out->count = 1;
        out->channels = channels;
        return glnn_image_read(path, channels, &out->width, &out->height, &out->pixels) ==
                   GLNN_OK ||
               refuse("%s", glnn_last_error());
    }
    if (glnn_idx_read(path, &idx) != GLNN_OK)
        return refuse("%s (a picture to classify is a PNG or an IDX file)", glnn_last_error());
    bool done = convert_idx(path, &idx, out);
    glnn_idx_free(&idx);
    return done && (channels == 1 || refuse("%s: an IDX file has gray images, but the model is for "
                                            "images in colour",
                                            path));
}

static bool scale_all(const char *path, const source *from, glnn_shape shape, bool invert,
                      pictures *out)
{
    const size_t channels = (size_t)from->channels;
    const size_t size = channels * (size_t)shape.width * (size_t)shape.height;
    const size_t source_size = channels * (size_t)from->width * (size_t)from->height;
    out->count = from->count;
    out->pixels = malloc((size_t)from->count * size * sizeof *out->pixels);
    if (out->pixels == NULL)
        return refuse("%s: no memory for %d images", path, from->count);
    for (size_t i = 0; i < (size_t)from->count; ++i)
        CHECK(glnn_image_scale(from->channels, from->width, from->height,
                               from->pixels + i * source_size, shape.width, shape.height,
                               out->pixels + i * size));
    for (size_t i = 0; invert && i < (size_t)from->count * size; ++i)
        out->pixels[i] = 1.0f - out->pixels[i];
    return true;
}

/* A model of bright ink on dark ground, such as one of MNIST, takes dark ink on paper for something
 * else, so that a bright ground is worth a word. */
static void write_note(const source *from, glnn_shape shape, bool invert, pictures *out)
{
    int bright = 0;
    size_t used =
        (size_t)snprintf(out->note, sizeof out->note, "%d x %d pixels", from->width, from->height);
    for (int i = 0; from->channels == 1 && i < from->count; ++i)
        bright += glnn_image_find_background(from->width, from->height,
                                             from->pixels + (size_t)i * (size_t)from->width *
                                                                (size_t)from->height) > 0.5f;
    if (from->width != shape.width || from->height != shape.height)
        used += (size_t)snprintf(out->note + used, sizeof out->note - used, ", scaled to %d x %d",
                                 shape.width, shape.height);
    if (invert)
        snprintf(out->note + used, sizeof out->note - used, ", inverted");
    else if (2 * bright > from->count)
        snprintf(out->note + used, sizeof out->note - used,
                 ", with a bright background (--invert makes it dark)");
}

bool pictures_read(const char *path, glnn_shape shape, bool invert, pictures *out)
{
    source from = {0};
    *out = (pictures){0};
    bool done =
        read_source(path, shape.channels, &from) && scale_all(path, &from, shape, invert, out);
    if (done)
        write_note(&from, shape, invert, out);
    free(from.pixels);
    return done;
}

void pictures_free(pictures *images)
{
    free(images->pixels);
    *images = (pictures){0};
}
