/* glnn/image.h - pictures as PNG files, and matrices as pictures
 *
 * All functions return E_UNSUPPORTED where the library was built without libpng. */
#ifndef GLNN_IMAGE_H
#define GLNN_IMAGE_H

#include <glnn/base.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a PNG file as gray values in [0, 1]: colour becomes luma (0.299 R + 0.587 G + 0.114 B),
 * transparency is laid over black, 16 bits keep their precision.
 *
 * Errors   E_ARG a null argument; E_IO the file cannot be opened or read; E_FORMAT no PNG, or a
 *          damaged one; E_LIMIT wider or taller than 16384, or more than 67 108 864 pixels, which
 *          are told before they are unpacked; E_NOMEM
 * Owner    the caller, who frees *pixels (width x height, row-major) with free().
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_image_read(const char *path, int *width, int *height, float **pixels);

/* Writes gray values as an 8-bit PNG file: `low` becomes black, `high` white, what lies outside is
 * clamped, and what is no number black. A file that exists is replaced only when the new one is
 * complete.
 * Errors: E_ARG a null argument, a size < 1, low >= high or one that is not finite; E_LIMIT a
 * size that glnn_image_read refuses; E_NOMEM; E_IO the file cannot be written. Thread: any. Since
 * 0.1 */
GLNN_API glnn_status glnn_image_write(const char *path, int width, int height, const float *pixels,
                                      float low, float high);

/* Writes `count` pictures of width x height side by side in `columns` columns, with a gray border
 * of one pixel: negative values blue, zero white, positive red, scaled by each picture's greatest
 * finite magnitude; what is not finite is black, and places without a picture are gray. The weights
 * of hidden units look well so.
 *
 * Shapes   picture i has pixel (x, y) at pictures[i * picture_stride + (y * width + x) * stride].
 * Errors   E_ARG a null argument or a count or size < 1; E_LIMIT the whole has a size that
 *          glnn_image_read refuses; E_NOMEM; E_IO the file cannot be written
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_image_write_grid(const char *path, int count, int columns, int width,
                                           int height, const float *pictures,
                                           ptrdiff_t picture_stride, ptrdiff_t stride);

#ifdef __cplusplus
}
#endif
#endif
