#include <glnn/image.h>

#include "base/status.h"
#include "io/png_file.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Colours need 3 channels, gray values 1. */
static glnn_status check_channels(int channels)
{
    return channels == 1 || channels == 3
               ? GLNN_OK
               : glnn__fail(GLNN_E_ARG, "`channels` is %d; it must be 1 or 3", channels);
}

glnn_status glnn_image_read(const char *path, int channels, int *width, int *height, float **pixels)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(width);
    GLNN__NOT_NULL(height);
    GLNN__NOT_NULL(pixels);
    *width = *height = 0;
    *pixels = NULL;
    glnn__picture picture;
    GLNN__TRY(glnn__fail_in(__func__, check_channels(channels)));
    GLNN__TRY(glnn__fail_in(__func__, glnn__png_read(path, channels, &picture)));
    *width = picture.width;
    *height = picture.height;
    *pixels = picture.pixels;
    return GLNN_OK;
}

enum { RED_GREEN_BLUE = 3, BORDER_GRAY = 128 };

/* A picture of 8 bits in which pictures of one size lie in a grid. */
typedef struct canvas {
    const char *path;
    int count, columns, width, height; /* of the pictures                           */
    int line;                          /* pixels between the pictures               */
    int channels;
    int full_width, full_height;
    unsigned char *bytes; /* the channels of a pixel lie next to each other */
} canvas;

/* Pictures with lines between them. */
static canvas sheet_of(const char *path, int count, int columns, int width, int height)
{
    return (canvas){.path = path,
                    .count = count,
                    .columns = columns,
                    .width = width,
                    .height = height,
                    .line = 1};
}

static glnn_status canvas_make(canvas *of)
{
    if (of->count < 1 || of->columns < 1 || of->width < 1 || of->height < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%d picture%s in %d column%s of %d x %d pixels; all of these must be at "
                          "least 1",
                          of->count, of->count == 1 ? "" : "s", of->columns,
                          of->columns == 1 ? "" : "s", of->width, of->height);
    const long long rows = ((long long)of->count + of->columns - 1) / of->columns;
    const long long width = of->columns * ((long long)of->width + of->line) + of->line;
    const long long height = rows * ((long long)of->height + of->line) + of->line;
    GLNN__TRY(glnn__image_check_size(of->path, width, height, "written"));
    const size_t size = (size_t)width * (size_t)height * (size_t)of->channels;
    of->full_width = (int)width;
    of->full_height = (int)height;
    of->bytes = malloc(size);
    if (!of->bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels", of->path,
                          of->full_width, of->full_height);
    memset(of->bytes, BORDER_GRAY, size);
    return GLNN_OK;
}

static unsigned char *canvas_at(const canvas *of, int picture, int x, int y)
{
    const int left = of->line + picture % of->columns * (of->width + of->line);
    const int top = of->line + picture / of->columns * (of->height + of->line);
    return of->bytes +
           ((size_t)(top + y) * (size_t)of->full_width + (size_t)(left + x)) * (size_t)of->channels;
}

static glnn_status canvas_write(canvas *of)
{
    const glnn_status status =
        glnn__png_write(of->path, of->full_width, of->full_height, of->channels, of->bytes);
    free(of->bytes);
    return status;
}

/* Maps 0 .. 1 to 0 .. 255; NaN becomes 0. */
static unsigned char quantize(double value)
{
    if (!(value > 0))
        return 0;
    return (unsigned char)(255 * (value < 1 ? value : 1) + 0.5);
}

static void draw_planes(const canvas *to, int picture, const float *planes, double low, double high)
{
    for (int c = 0; c < to->channels; ++c)
        for (int y = 0; y < to->height; ++y)
            for (int x = 0; x < to->width; ++x)
                canvas_at(to, picture, x, y)[c] =
                    quantize(((double)*planes++ - low) / (high - low));
}

/* Writes pictures whose channels are planes. */
static glnn_status write_planes(canvas *to, const float *planes, float low, float high)
{
    GLNN__TRY(check_channels(to->channels));
    if (!isfinite(low) || !isfinite(high) || !(low < high))
        return glnn__fail(GLNN_E_ARG,
                          "`low` is %g and `high` is %g; both must be finite, and `low` the "
                          "smaller one",
                          (double)low, (double)high);
    GLNN__TRY(canvas_make(to));
    const size_t size = (size_t)to->channels * (size_t)to->width * (size_t)to->height;
    for (int i = 0; i < to->count; ++i)
        draw_planes(to, i, planes + (size_t)i * size, (double)low, (double)high);
    return canvas_write(to);
}

glnn_status glnn_image_write(const char *path, int channels, int width, int height,
                             const float *pixels, float low, float high)
{
    canvas to = {.path = path,
                 .count = 1,
                 .columns = 1,
                 .width = width,
                 .height = height,
                 .channels = channels};
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(pixels);
    return glnn__fail_in(__func__, write_planes(&to, pixels, low, high));
}

glnn_status glnn_image_write_sheet(const char *path, int count, int columns, int channels,
                                   int width, int height, const float *samples, float low,
                                   float high)
{
    canvas to = sheet_of(path, count, columns, width, height);
    to.channels = channels;
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(samples);
    return glnn__fail_in(__func__, write_planes(&to, samples, low, high));
}

/* Pictures of numbers with a sign, in an array with any distances between them. */
typedef struct signed_pictures {
    const float *first;
    ptrdiff_t picture_stride, stride;
} signed_pictures;

static double number_at(const signed_pictures *of, const canvas *to, int picture, int x, int y)
{
    const ptrdiff_t pixel = (ptrdiff_t)y * to->width + x;
    return (double)of->first[picture * of->picture_stride + pixel * of->stride];
}

static double greatest_magnitude(const signed_pictures *of, const canvas *to, int picture)
{
    double greatest = 0;
    for (int y = 0; y < to->height; ++y)
        for (int x = 0; x < to->width; ++x) {
            const double magnitude = fabs(number_at(of, to, picture, x, y));
            if (isfinite(magnitude) && magnitude > greatest)
                greatest = magnitude;
        }
    return greatest > 0 ? greatest : 1;
}

/* Draws -1 blue, 0 white and 1 red, and values that are not finite black. */
static void set_color(unsigned char *pixel, double value)
{
    unsigned char faded = quantize(1 - fabs(value));
    pixel[0] = value >= 0 ? 255 : faded;
    pixel[1] = faded;
    pixel[2] = value <= 0 ? 255 : faded;
    if (!isfinite(value))
        memset(pixel, 0, RED_GREEN_BLUE);
}

static void draw_signed(const signed_pictures *of, const canvas *to, int picture)
{
    const double magnitude = greatest_magnitude(of, to, picture);
    for (int y = 0; y < to->height; ++y)
        for (int x = 0; x < to->width; ++x)
            set_color(canvas_at(to, picture, x, y), number_at(of, to, picture, x, y) / magnitude);
}

glnn_status glnn_image_write_grid(const char *path, int count, int columns, int width, int height,
                                  const float *pictures, ptrdiff_t picture_stride, ptrdiff_t stride)
{
    const signed_pictures from = {pictures, picture_stride, stride};
    canvas to = sheet_of(path, count, columns, width, height);
    to.channels = RED_GREEN_BLUE;
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(pictures);
    GLNN__TRY(glnn__fail_in(__func__, canvas_make(&to)));
    for (int i = 0; i < count; ++i)
        draw_signed(&from, &to, i);
    return glnn__fail_in(__func__, canvas_write(&to));
}
