#include "picture.h"

#include <glnn/idx.h>
#include <glnn/image.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    size_t got = fread(&first, 1, 1, file);
    fclose(file);
    if (got == 0)
        return refuse("%s: the file is empty or cannot be read", path);
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

/* The ground of an image: the median of its corners, so that ink in one of them does not matter. */
static double ground_of(const source *from, const float *image)
{
    const size_t right = (size_t)from->width - 1;
    const size_t bottom = ((size_t)from->height - 1) * (size_t)from->width;
    const float corners[] = {image[0], image[right], image[bottom], image[bottom + right]};
    float least = corners[0], most = corners[0], sum = 0;
    for (int i = 0; i < 4; ++i) {
        least = fminf(least, corners[i]);
        most = fmaxf(most, corners[i]);
        sum += corners[i];
    }
    return (double)(sum - least - most) / 2.0;
}

/* The mean over the rectangle of an image from (left, top) to (right, bottom), in pixels. The
 * ground surrounds the image. */
static double area_mean(const source *from, const float *image, double ground, const double edge[4])
{
    double left = edge[0], top = edge[1], right = edge[2], bottom = edge[3], sum = 0.0;
    for (int y = (int)fmax(floor(top), 0.0); y < from->height && y < bottom; ++y) {
        double tall = fmin(y + 1.0, bottom) - fmax(y, top);
        for (int x = (int)fmax(floor(left), 0.0); x < from->width && x < right; ++x) {
            double wide = fmin(x + 1.0, right) - fmax(x, left);
            double value = (double)image[(size_t)y * (size_t)from->width + (size_t)x];
            if (wide > 0.0 && tall > 0.0)
                sum += wide * tall * (value - ground);
        }
    }
    return ground + sum / ((right - left) * (bottom - top));
}

static void scale_image(const source *from, const float *image, bool invert, glnn_shape shape,
                        float *out)
{
    const double across = (double)from->width / shape.width;
    const double down = (double)from->height / shape.height, step = fmax(across, down);
    const double left = (from->width - step * shape.width) / 2.0;
    const double top = (from->height - step * shape.height) / 2.0;
    const double ground = ground_of(from, image);
    for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x) {
            const double edge[] = {left + step * x, top + step * y, left + step * (x + 1),
                                   top + step * (y + 1)};
            const double value = area_mean(from, image, ground, edge);
            *out++ = (float)(invert ? 1.0 - value : value);
        }
}

static bool scale_all(const char *path, const source *from, glnn_shape shape, bool invert,
                      pictures *out)
{
    const size_t size = (size_t)shape.width * (size_t)shape.height;
    const size_t source_size = (size_t)from->width * (size_t)from->height;
    const size_t planes = (size_t)from->count * (size_t)from->channels;
    out->count = from->count;
    out->pixels = malloc(planes * size * sizeof *out->pixels);
    if (out->pixels == NULL)
        return refuse("%s: no memory for %d images", path, from->count);
    for (size_t i = 0; i < planes; ++i)
        scale_image(from, from->pixels + i * source_size, invert, shape, out->pixels + i * size);
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
        bright += ground_of(from, from->pixels +
                                      (size_t)i * (size_t)from->width * (size_t)from->height) > 0.5;
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
