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
    int count, width, height;
    float *pixels;
} source;

bool picture_size(int inputs, int *width, int *height)
{
    bool square = *width == 0;
    if (square)
        *width = (int)lround(sqrt(inputs));
    *height = inputs / *width;
    if (*width * *height != inputs || (square && *width != *height))
        return refuse("the model is for %d feature%s, not for images", inputs,
                      inputs == 1 ? "" : "s");
    return true;
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
        return refuse("%s: %zu images of %zu x %zu are more or larger than this program takes",
                      path, count, idx->shape[last], idx->shape[last - 1]);
    out->count = (int)count;
    out->width = (int)idx->shape[last];
    out->height = (int)idx->shape[last - 1];
    out->pixels = malloc(idx->elements * sizeof *out->pixels);
    if (out->pixels == NULL)
        return refuse("%s: no memory for %zu pixels", path, idx->elements);
    if (glnn_idx_get_floats(idx, 1.0f / 255.0f, out->pixels) != GLNN_OK)
        return refuse("%s: %s", path, glnn_last_error());
    return true;
}

static bool read_source(const char *path, source *out)
{
    glnn_idx idx = {.size = sizeof idx};
    bool png = false;
    if (!is_png(path, &png))
        return false;
    if (png) {
        out->count = 1;
        return glnn_image_read(path, &out->width, &out->height, &out->pixels) == GLNN_OK ||
               refuse("%s", glnn_last_error());
    }
    if (glnn_idx_read(path, &idx) != GLNN_OK)
        return refuse("%s (a picture to classify is a PNG or an IDX file)", glnn_last_error());
    bool done = convert_idx(path, &idx, out);
    glnn_idx_free(&idx);
    return done;
}

/* The ground is bright when the border is: digits seldom touch it. */
static bool is_bright(const source *from, const float *image)
{
    double sum = 0.0;
    for (int x = 0; x < from->width; ++x)
        sum += image[x] + image[(size_t)(from->height - 1) * (size_t)from->width + (size_t)x];
    for (int y = 0; y < from->height; ++y) {
        const float *row = image + (size_t)y * (size_t)from->width;
        sum += row[0] + row[from->width - 1];
    }
    return sum / (2.0 * (from->width + from->height)) > 0.5;
}

/* The mean over the rectangle of an image from (left, top) to (right, bottom), in pixels.
 * The ground surrounds the image. */
static float area_mean(const source *from, const float *image, bool invert, const double edge[4])
{
    double left = edge[0], top = edge[1], right = edge[2], bottom = edge[3], sum = 0.0;
    for (int y = (int)fmax(floor(top), 0.0); y < from->height && y < bottom; ++y) {
        double tall = fmin(y + 1.0, bottom) - fmax(y, top);
        for (int x = (int)fmax(floor(left), 0.0); x < from->width && x < right; ++x) {
            double wide = fmin(x + 1.0, right) - fmax(x, left);
            double value = image[(size_t)y * (size_t)from->width + (size_t)x];
            if (wide > 0.0 && tall > 0.0)
                sum += wide * tall * (invert ? 1.0 - value : value);
        }
    }
    return (float)(sum / ((right - left) * (bottom - top)));
}

static void scale_image(const source *from, const float *image, bool invert, int width, int height,
                        float *out)
{
    double across = (double)from->width / width, down = (double)from->height / height;
    double step = fmax(across, down);
    double left = (from->width - step * width) / 2.0, top = (from->height - step * height) / 2.0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double edge[] = {left + step * x, top + step * y, left + step * (x + 1),
                                   top + step * (y + 1)};
            out[y * width + x] = area_mean(from, image, invert, edge);
        }
    }
}

static bool scale_all(const char *path, const source *from, int width, int height, pictures *out)
{
    size_t size = (size_t)width * (size_t)height;
    size_t source_size = (size_t)from->width * (size_t)from->height;
    int inverted = 0;
    out->count = from->count;
    out->pixels = malloc((size_t)from->count * size * sizeof *out->pixels);
    if (out->pixels == NULL)
        return refuse("%s: no memory for %d images", path, from->count);
    for (size_t i = 0; i < (size_t)from->count; ++i) {
        const float *image = from->pixels + i * source_size;
        bool invert = is_bright(from, image);
        inverted += invert;
        scale_image(from, image, invert, width, height, out->pixels + i * size);
    }
    int used = snprintf(out->note, sizeof out->note, "%d x %d pixels", from->width, from->height);
    if (from->width != width || from->height != height)
        used += snprintf(out->note + used, sizeof out->note - (size_t)used, ", scaled to %d x %d",
                         width, height);
    if (inverted == 1 && from->count == 1)
        snprintf(out->note + used, sizeof out->note - (size_t)used,
                 ", inverted because the background is bright");
    else if (inverted > 0)
        snprintf(out->note + used, sizeof out->note - (size_t)used,
                 ", %d of %d inverted because their background is bright", inverted, from->count);
    return true;
}

bool pictures_read(const char *path, int width, int height, pictures *out)
{
    source from = {0};
    *out = (pictures){0};
    bool done = read_source(path, &from) && scale_all(path, &from, width, height, out);
    free(from.pixels);
    return done;
}

void pictures_free(pictures *images)
{
    free(images->pixels);
    *images = (pictures){0};
}
