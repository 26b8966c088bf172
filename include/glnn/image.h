/** @file
 *  @ingroup glnn_io
 *  @brief Pictures: PNG files of gray values, and numbers drawn as pictures.
 *
 *  A gray value is a float: 0 is black and 1 is white. All functions fail with GLNN_E_UNSUPPORTED
 *  if the library was built without libpng. The rows of a picture are stored from top to bottom. No
 *  picture may be wider or taller than 16384 pixels or have more than 67108864 pixels. */
#ifndef GLNN_IMAGE_H
#define GLNN_IMAGE_H

#include <glnn/base.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** Reads a PNG file as gray values in 0 .. 1.
 *
 * A colour becomes 0.299 red + 0.587 green + 0.114 blue. Transparent pixels are blended with black.
 * Files of 16 bits keep their precision.
 *
 * @errors
 *   - GLNN_E_ARG: an argument is null, or the path is empty.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: the file is not a PNG file or is damaged.
 *   - GLNN_E_LIMIT: the picture is too large.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_UNSUPPORTED: the library has no libpng.
 * @shapes  *pixels has *height rows of *width values.
 * @owner   the caller, who frees *pixels with free(). After a failure *pixels is NULL.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_image_read(const char *path, int *width, int *height, float **pixels);

/** Writes gray values as a PNG file of 8 bits.
 *
 * `low` becomes black and `high` white. Values outside are clamped, and NaN becomes black. An
 * existing file is replaced once the new one is complete.
 *
 * @shapes  pixels has `height` rows of `width` values.
 * @errors
 *   - GLNN_E_ARG: path or pixels is null; width or height is less than 1; low or high is not
 *     finite, or low is not less than high.
 *   - GLNN_E_LIMIT: the picture is too large.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written.
 *   - GLNN_E_UNSUPPORTED: the library has no libpng.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_image_write(const char *path, int width, int height, const float *pixels,
                                      float low, float high);

/** Writes pictures in a grid as a PNG file, for example the weights of hidden units.
 *
 * The grid has `columns` columns and gray lines of one pixel between the pictures. Negative values
 * are blue, zero is white, positive values are red. Each picture is scaled by its greatest finite
 * magnitude. Values that are not finite are black, and empty places are gray. An existing file is
 * replaced once the new one is complete.
 *
 * @shapes  `count` pictures of `height` rows of `width` pixels. Pixel (x, y) of picture i is
 *          pictures[i * picture_stride + (y * width + x) * stride].
 * @errors
 *   - GLNN_E_ARG: path or pictures is null, or a count or size is less than 1.
 *   - GLNN_E_LIMIT: the grid is too large.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written.
 *   - GLNN_E_UNSUPPORTED: the library has no libpng.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_image_write_grid(const char *path, int count, int columns, int width,
                                           int height, const float *pictures,
                                           ptrdiff_t picture_stride, ptrdiff_t stride);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
