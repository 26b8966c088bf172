/** @file
 *  @ingroup glnn_io
 *  @brief Pictures: PNG files, folders of them as samples, and numbers drawn as pictures.
 *
 *  A gray value is a float: 0 is black and 1 is white. The channels of a picture in colours are
 *  planes of such values, in the order red, green and blue. The rows of a plane are stored from top
 *  to bottom. Functions that read or write files fail with GLNN_E_UNSUPPORTED if the library was
 *  built without libpng.
 *  No picture may be wider or taller than 16384 pixels or have more than 67108864 pixels. */
#ifndef GLNN_IMAGE_H
#define GLNN_IMAGE_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** Reads a PNG file as values in 0 .. 1.
 *
 * Transparent pixels are blended with black. Files of 16 bits keep their precision.
 *
 * @param channels  1: gray values; a colour becomes 0.299 red + 0.587 green + 0.114 blue. 3: red,
 *   green and blue; a gray pixel gets three equal values.
 * @errors
 *   - GLNN_E_ARG: a pointer is null, the path is empty, or `channels` is not 1 or 3.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: the file is not a PNG file or is damaged.
 *   - GLNN_E_LIMIT: the picture is too large.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_UNSUPPORTED: the library has no libpng.
 * @shapes  *pixels has `channels` planes of *height rows of *width values.
 * @owner   the caller, who frees *pixels with free(). After a failure *pixels is NULL.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_image_read(const char *path, int channels, int *width, int *height,
                                     float **pixels);

/** Scales a picture to another size by area averages.
 *
 * The picture keeps its aspect, so it fills the new width or the new height and lies in the middle.
 * The rest has the background of each plane, as glnn_image_find_background() finds it. A pixel is
 * the mean of the rectangle that it covers, weighted by area.
 *
 * @param channels  the number of planes, at least 1
 * @shapes  pixels has `channels` planes of `height` rows of `width` values, and out those of
 *   `out_height` rows of `out_width` values. They do not overlap.
 * @errors
 *   - GLNN_E_ARG: a pointer is null; a size or `channels` is less than 1.
 * @numbers Computed in double precision. A picture that has the new size keeps its values.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_scale(int channels, int width, int height, const float *pixels,
                                      int out_width, int out_height, float *out);

/** Finds the background of a plane: the median of its corners, so that ink in one of them does not
 * matter. That is the mean of the two values in the middle.
 *
 * @shapes  pixels has `height` rows of `width` values.
 * @errors  none; the result is 0 if pixels is null or a size is less than 1.
 * @thread  any.
 * @since   0.2 */
GLNN_API float glnn_image_find_background(int width, int height, const float *pixels);

/** Writes a picture as a PNG file of 8 bits.
 *
 * `low` becomes black, and `high` becomes white or a full colour. Values outside are clamped, and
 * NaN becomes black. An existing file is replaced once the new one is complete.
 *
 * @param channels  1: gray values; 3: red, green and blue
 * @shapes  pixels has `channels` planes of `height` rows of `width` values.
 * @errors
 *   - GLNN_E_ARG: path or pixels is null; `channels` is not 1 or 3; width or height is less than 1;
 *     low or high is not finite, or low is not less than high.
 *   - GLNN_E_LIMIT: the picture is too large.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_IO: the file cannot be written.
 *   - GLNN_E_UNSUPPORTED: the library has no libpng.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_image_write(const char *path, int channels, int width, int height,
                                      const float *pixels, float low, float high);

/** Writes samples that are images in a grid as a PNG file, for example distorted images.
 *
 * The grid has `columns` columns, is filled row by row, and has gray lines of one pixel between the
 * images. Empty places are gray. Values become colours as with glnn_image_write(). An existing file
 * is replaced once the new one is complete.
 *
 * @shapes  `samples` has `count` images, each as the pixels of glnn_image_write().
 * @errors  as glnn_image_write(); also
 *   - GLNN_E_ARG: `count` or `columns` is less than 1.
 *   - GLNN_E_LIMIT: the grid is too large.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_write_sheet(const char *path, int count, int columns, int channels,
                                            int width, int height, const float *samples, float low,
                                            float high);

/** Writes numbers with a sign as pictures in a grid, for example the weights of hidden units.
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

/** Labelled pictures in a folder. */
typedef struct glnn_image_folder {
    size_t size;        /**< sizeof(glnn_image_folder), set by the caller before the call        */
    int64_t samples;    /**< the number of pictures, at least 1                                  */
    int channels;       /**< 1: gray; 3: red, green and blue                                     */
    int height;         /**< rows of each picture; see glnn_image_folder_read()                  */
    int width;          /**< columns of each picture                                             */
    float *inputs;      /**< samples x (channels x height x width), in 0 .. 1. The values of a
                             sample are ordered by channel, then by row, then by column. NULL:
                             the pictures have not been read                                     */
    int *labels;        /**< the class of each picture, 0 to classes - 1                         */
    int classes;        /**< the number of folders, at least 1                                   */
    char **class_names; /**< the name of the folder of each class                                */
    bool converts;      /**< pictures with other channels are converted to `channels`            */
    bool scales;        /**< pictures of other sizes are scaled to height x width                */
    char **paths;       /**< the file of each picture                                            */
} glnn_image_folder;

/** Reads a folder of PNG files as samples for training.
 *
 * The folder has one folder for each class, which has the name of the class and holds its pictures,
 * `path/class/picture.png`. They may lie in further folders, `path/class/a/b/picture.png`, up to 16
 * deep. Classes, and the paths of pictures within a class, are sorted by their bytes. Files of
 * `path` itself, files whose names do not end in ".png" (in upper or lower case), and names that
 * begin with a dot are skipped. Symbolic links
 * are followed, and one that leads nowhere is an error.
 *
 * If the caller sets out->height and out->width before the call, all pictures get this size, as
 * glnn_image_scale() does it. If both are 0, the size is that of the first picture, and all
 * pictures must have it.
 *
 * @param channels  1: all pictures become gray, as glnn_image_read() does it. 3: gray pictures get
 *   three equal channels. 0: as the files have them, and then all must be gray or all have colours;
 *   a file with a palette has colours. Transparent pixels are blended with black.
 * @errors
 *   - GLNN_E_ARG: path or out is null; the path is empty; `channels` is not 0, 1 or 3; out->size is
 *     not set; out->height or out->width is negative, or only one of them is 0.
 *   - GLNN_E_IO: a folder or file cannot be opened or read.
 *   - GLNN_E_FORMAT: there is no folder of a class, or one without pictures. A file is not a PNG
 *     file or is damaged. A picture has another size than the first one, though no size is set, or
 *     with 0 another number of channels; the sentence names both files and both sizes.
 *   - GLNN_E_LIMIT: a picture or the size that is set is too large, there are more than 2147483647
 *     classes, folders lie in each other more than 16 deep, or memory cannot address the pictures.
 *   - GLNN_E_NOMEM: main memory ran out.
 *   - GLNN_E_UNSUPPORTED: the library has no libpng.
 * @owner   the caller, who passes *out to glnn_image_folder_free(). After a failure *out is empty.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_folder_read(const char *path, int channels, glnn_image_folder *out);

/** Lists a folder of PNG files, whose pictures a data set reads while it is used.
 *
 * The same as glnn_image_folder_read(), but only the first picture is read, for the sizes, and
 * out->inputs is NULL. A picture that is damaged or has another size is found when it is read.
 *
 *     glnn_image_folder folder = {.size = sizeof folder};
 *     glnn_status status = glnn_image_folder_open("pictures", 0, &folder);
 *     if (!status)
 *         status = glnn_dataset_create(ctx, &(glnn_dataset_desc){
 *             .samples = folder.samples,
 *             .features = folder.channels * folder.height * folder.width,
 *             .read = glnn_image_folder_read_samples, .user = &folder,
 *             .labels = folder.labels, .classes = folder.classes,
 *             .texture_budget = 256 << 20,
 *         }, &data);
 *
 * @errors  as glnn_image_folder_read().
 * @owner   the caller, who passes *out to glnn_image_folder_free(). After a failure *out is empty.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_folder_open(const char *path, int channels, glnn_image_folder *out);

/** Reads pictures of a folder: a glnn_dataset_reader (glnn/dataset.h).
 *
 * @param folder   a glnn_image_folder, which must not change meanwhile
 * @param samples  the numbers of `count` pictures
 * @shapes  inputs has `count` rows, each as one of glnn_image_folder::inputs.
 * @errors
 *   - GLNN_E_ARG: a pointer is null, or a number is not that of a picture.
 *   - GLNN_E_IO, GLNN_E_FORMAT, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_UNSUPPORTED: as
 *     glnn_image_folder_read().
 * @thread  any, several at a time.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_folder_read_samples(void *folder, const int *samples, int count,
                                                    float *inputs);

/** Frees the memory of labelled pictures and empties them; the size stays. NULL does nothing.
 * @thread any. @since 0.2 */
GLNN_API void glnn_image_folder_free(glnn_image_folder *folder);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
