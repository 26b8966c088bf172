#include <glnn/image.h>

#include "base/status.h"
#include "io/png_file.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

glnn_status glnn_image_read(const char *path, int *width, int *height, float **pixels)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(width);
    GLNN__NOT_NULL(height);
    GLNN__NOT_NULL(pixels);
    *width = *height = 0;
    *pixels = NULL;
    glnn__picture picture;
    GLNN__TRY(glnn__png_read(path, 1, &picture));
    *width = picture.width;
    *height = picture.height;
    *pixels = picture.pixels;
    return GLNN_OK;
}

/* Maps 0 .. 1 to 0 .. 255; NaN becomes 0. */
static unsigned char quantize(double value)
{
    if (!(value > 0))
        return 0;
    return (unsigned char)(255 * (value < 1 ? value : 1) + 0.5);
}

static glnn_status check_write(const char *path, int width, int height, float low, float high)
{
    if (width < 1 || height < 1)
        return glnn__fail(GLNN_E_ARG, "glnn_image_write: %d x %d pixels; both must be at least 1",
                          width, height);
    if (!isfinite(low) || !isfinite(high) || !(low < high))
        return glnn__fail(GLNN_E_ARG,
                          "glnn_image_write: `low` is %g and `high` is %g; both must be finite, "
                          "and `low` the smaller one",
                          (double)low, (double)high);
    return glnn__image_check_size(path, width, height, "written");
}

glnn_status glnn_image_write(const char *path, int width, int height, const float *pixels,
                             float low, float high)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(pixels);
    GLNN__TRY(check_write(path, width, height, low, high));
    size_t count = (size_t)width * (size_t)height;
    unsigned char *grays = malloc(count);
    if (!grays)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels", path, width, height);
    for (size_t i = 0; i < count; ++i)
        grays[i] = quantize(((double)pixels[i] - (double)low) / ((double)high - (double)low));
    glnn_status status = glnn__png_write(path, width, height, 1, grays);
    free(grays);
    return status;
}

/* Pictures in a grid, and the canvas that they are drawn on. */
typedef struct grid {
    int count, columns, width, height;
    const float *pictures;
    ptrdiff_t picture_stride, stride;
    int canvas_width, canvas_height;
    unsigned char *canvas;
} grid;

enum { RED_GREEN_BLUE = 3, BORDER_GRAY = 128 };

static float picture_at(const grid *of, int picture, int x, int y)
{
    ptrdiff_t pixel = (ptrdiff_t)y * of->width + x;
    return of->pictures[picture * of->picture_stride + pixel * of->stride];
}

static double greatest_magnitude(const grid *of, int picture)
{
    double greatest = 0;
    for (int y = 0; y < of->height; ++y) {
        for (int x = 0; x < of->width; ++x) {
            double magnitude = fabs((double)picture_at(of, picture, x, y));
            if (isfinite(magnitude) && magnitude > greatest)
                greatest = magnitude;
        }
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

static void draw_picture(const grid *of, int picture)
{
    double magnitude = greatest_magnitude(of, picture);
    size_t left = 1 + (size_t)(picture % of->columns) * ((size_t)of->width + 1);
    size_t top = 1 + (size_t)(picture / of->columns) * ((size_t)of->height + 1);
    for (int y = 0; y < of->height; ++y) {
        size_t place = (top + (size_t)y) * (size_t)of->canvas_width + left;
        unsigned char *pixel = of->canvas + place * RED_GREEN_BLUE;
        for (int x = 0; x < of->width; ++x, pixel += RED_GREEN_BLUE)
            set_color(pixel, (double)picture_at(of, picture, x, y) / magnitude);
    }
}

static glnn_status plan_canvas(const char *path, grid *of)
{
    if (of->count < 1 || of->columns < 1 || of->width < 1 || of->height < 1)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_image_write_grid: %d pictures in %d columns of %d x %d pixels; all "
                          "of these must be at least 1",
                          of->count, of->columns, of->width, of->height);
    long long rows = ((long long)of->count + of->columns - 1) / of->columns;
    long long width = of->columns * ((long long)of->width + 1) + 1;
    long long height = rows * ((long long)of->height + 1) + 1;
    GLNN__TRY(glnn__image_check_size(path, width, height, "written"));
    of->canvas_width = (int)width;
    of->canvas_height = (int)height;
    return GLNN_OK;
}

glnn_status glnn_image_write_grid(const char *path, int count, int columns, int width, int height,
                                  const float *pictures, ptrdiff_t picture_stride, ptrdiff_t stride)
{
    grid of = {.count = count,
               .columns = columns,
               .width = width,
               .height = height,
               .pictures = pictures,
               .picture_stride = picture_stride,
               .stride = stride};
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(pictures);
    GLNN__TRY(plan_canvas(path, &of));
    size_t size = (size_t)of.canvas_width * (size_t)of.canvas_height * RED_GREEN_BLUE;
    of.canvas = malloc(size);
    if (!of.canvas)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d x %d pixels", path, of.canvas_width,
                          of.canvas_height);
    memset(of.canvas, BORDER_GRAY, size);
    for (int i = 0; i < count; ++i)
        draw_picture(&of, i);
    glnn_status status =
        glnn__png_write(path, of.canvas_width, of.canvas_height, RED_GREEN_BLUE, of.canvas);
    free(of.canvas);
    return status;
}
