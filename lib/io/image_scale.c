#include <glnn/image.h>

#include "base/status.h"

#include <math.h>
#include <stddef.h>

/* A plane of a picture. */
typedef struct plane {
    int width, height;
    const float *pixels;
} plane;

/* An area of a plane, in pixels. */
typedef struct area {
    double left, top, right, bottom;
} area;

float glnn_image_find_background(int width, int height, const float *pixels)
{
    if (!pixels || width < 1 || height < 1)
        return 0.0f;
    const size_t right = (size_t)width - 1;
    const size_t bottom = ((size_t)height - 1) * (size_t)width;
    const float corners[] = {pixels[0], pixels[right], pixels[bottom], pixels[bottom + right]};
    double sum = 0.0, least = (double)corners[0], most = (double)corners[0];
    for (int i = 0; i < 4; ++i) {
        least = fmin(least, (double)corners[i]);
        most = fmax(most, (double)corners[i]);
        sum += (double)corners[i];
    }
    return (float)((sum - least - most) / 2.0);
}

/* The background surrounds the plane. */
static double mean_of(const plane *of, double background, const area *in)
{
    double sum = 0.0;
    for (int y = (int)fmax(floor(in->top), 0.0); y < of->height && y < in->bottom; ++y) {
        const double tall = fmin(y + 1.0, in->bottom) - fmax(y, in->top);
        for (int x = (int)fmax(floor(in->left), 0.0); x < of->width && x < in->right; ++x) {
            const double wide = fmin(x + 1.0, in->right) - fmax(x, in->left);
            const float value = of->pixels[(size_t)y * (size_t)of->width + (size_t)x];
            if (wide > 0.0 && tall > 0.0)
                sum += wide * tall * ((double)value - background);
        }
    }
    return background + sum / ((in->right - in->left) * (in->bottom - in->top));
}

static void scale_plane(const plane *of, int width, int height, float *out)
{
    const double step = fmax((double)of->width / width, (double)of->height / height);
    const double left = (of->width - step * width) / 2.0;
    const double top = (of->height - step * height) / 2.0;
    const double background = (double)glnn_image_find_background(of->width, of->height, of->pixels);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const area covered = {left + step * x, top + step * y, left + step * (x + 1),
                                  top + step * (y + 1)};
            *out++ = (float)mean_of(of, background, &covered);
        }
}

glnn_status glnn_image_scale(int channels, int width, int height, const float *pixels,
                             int out_width, int out_height, float *out)
{
    GLNN__NOT_NULL(pixels);
    GLNN__NOT_NULL(out);
    if (channels < 1 || width < 1 || height < 1 || out_width < 1 || out_height < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %d channels of %d x %d pixels to %d x %d; all must be at least 1",
                          __func__, channels, width, height, out_width, out_height);
    for (size_t c = 0; c < (size_t)channels; ++c)
        scale_plane(&(plane){width, height, pixels + c * (size_t)width * (size_t)height}, out_width,
                    out_height, out + c * (size_t)out_width * (size_t)out_height);
    return GLNN_OK;
}
