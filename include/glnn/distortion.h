/** @file
 *  @ingroup glnn_train
 *  @brief Images as samples: distortions for training, blur, normalisation and gradients.
 *
 *  The samples of this header are images. A row of a matrix is an image, whose pixels are ordered
 *  by channel, then by row, then by column. Pixel (x, y) is in column x and row y of its channel,
 *  both from 0.
 *
 *  Distorted copies of the training images show a learner more variants than the data set has. With
 *  glnn_train_desc::distortion, each step distorts the images of its batch anew. Validation,
 *  evaluation and prediction use the images as they are.
 *
 *  ### The distortion of an image
 *
 *  Pixel (x, y) of the distorted image has the value of the image at the position p.
 *
 *      p = A^-1 (x, y, 1)' + d(x, y)
 *
 *  A is an *affine map*: in this order it scales, shears, rotates and shifts the image, about its
 *  centre ((width - 1) / 2, (height - 1) / 2). d is an *elastic displacement*: two numbers for each
 *  pixel, the same in all channels. Both are drawn at random.
 *
 *  Values between pixels are interpolated linearly in x and y, by the texture filter of the device.
 *  Beyond the edge of the image lie pixels of the background, and the values between edge and
 *  background are interpolated too.
 *
 *  The displacement follows Simard, Steinkraus and Platt: Best practices for convolutional neural
 *  networks applied to visual document analysis (2003). Independent numbers are uniform in -1 .. 1.
 *  A Gaussian of standard deviation `sigma`, whose weights sum to 1, smooths them. They are then
 *  multiplied by `elastic`.
 *
 *  The library smooths one large field for 64 steps. Each image takes another part of it, in
 *  another combination of independent components. If `sigma` is more than 8, the numbers are
 *  sigma / 8 pixels apart, and the field between them is interpolated.
 *
 *  All that is drawn depends only on the seed, the number of the step and the place of the image in
 *  the batch. The same numbers therefore give the same images again. */
#ifndef GLNN_DISTORTION_H
#define GLNN_DISTORTION_H

#include <glnn/matrix.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_train
 *  @{ */

/** The kind of a distortion. */
typedef enum glnn_distortion_kind {
    GLNN_DISTORTION_AFFINE,  /**< shift, rotation, scale and shear */
    GLNN_DISTORTION_ELASTIC, /**< elastic displacements            */
    GLNN_DISTORTION_COUNT
} glnn_distortion_kind;

/** The name of a kind of distortion: "affine", "elastic". @since 0.2 */
GLNN_API const char *glnn_distortion_kind_name(glnn_distortion_kind kind);

/** The kind of distortion with a name. @since 0.2 */
GLNN_API glnn_status glnn_distortion_kind_from_name(const char *name, glnn_distortion_kind *out);

/** Describes how images are distorted. Zeros: not at all. Each number that is drawn is uniform in
 * its range. */
typedef struct glnn_distortion {
    /** Of an image. Zeros: the shape of the network's input. If the learner is not a network, or
     * its input has no height and width, an image is one square channel. */
    glnn_shape shape;

    float shift;    /**< in pixels: x and y each move by -shift .. shift                         */
    float rotation; /**< in degrees, up to 180: the image turns by -rotation .. rotation; positive
                         angles turn x towards y                                                 */
    float scale;    /**< in [0, 1): width and height are each multiplied by a number that differs
                         from 1 by up to `scale`                                                 */
    float shear;    /**< in degrees, up to 60: x grows by tan(s) y, with s in -shear .. shear     */
    float elastic;  /**< in pixels: the factor of the elastic displacement; at least 0            */
    float sigma;    /**< in pixels: the standard deviation of the Gaussian, at most the larger side
                         of the image; 0: 4. Must be 0 if `elastic` is 0                         */

    /** The share of the images that are distorted, up to 1; 0: 1. Must be 0 if nothing else is
     * asked for. */
    float probability;

    float background; /**< the value of the pixels around the image                              */
    uint64_t reserved[2]; /**< zeros; room for later versions */
} glnn_distortion;

/** Sets the fields of one kind of distortion to numbers that suit handwritten digits of 28 x 28
 * pixels. The other fields stay.
 *
 *   - AFFINE: shift 1, rotation 7.5, scale 0.15, shear 7.5.
 *   - ELASTIC: elastic 34, sigma 4.
 *
 * @errors  GLNN_E_ARG: `distortion` is null, or the kind is unknown.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_distortion_add(glnn_distortion *distortion, glnn_distortion_kind kind);

/** The affine map of an image, for example to distort positions in it.
 *
 * A point (x, y) of the image moves to (m[0] x + m[1] y + m[2], m[3] x + m[4] y + m[5]). The third
 * row of the matrix is 0, 0, 1. The map is the identity for an image that is not distorted.
 *
 * @param   distortion its `shape` has to be set.
 * @param   seed       of the training, or of glnn_image_distort().
 * @param   step       the number of the step from 0. An epoch has ceil(samples / (batch *
 *                     accumulate)) steps.
 * @param   place      the place of the image among those of the step, from 0.
 * @param   m          the matrix, row by row.
 * @numbers Elements are exact to 1e-6 relative to the size of the image; passes compute the same
 *          map in float32.
 * @errors  GLNN_E_ARG: an argument is null; the shape is not set; a number of the description is
 *          out of its range; `place` is negative.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_distortion_get_matrix(const glnn_distortion *distortion, uint64_t seed,
                                                uint64_t step, int place, float m[9]);

/** Distorts images, as a step of a training does.
 *
 * Row i of `out` is the distorted row i of x. Equal arguments give equal images. The call makes
 * textures of its own, so it is for looking at distortions more than for training.
 *
 * @param   distortion NULL: zeros, which copy the images. Shape zeros: one square channel.
 * @param   seed       glnn_train_desc::seed.
 * @param   step       the number of the step from 0.
 * @shapes  x and out are m x n, where n is the size of the shape.
 * @numbers The position in the image is exact to 1/256 of a pixel in x and in y, as devices
 *          interpolate with 8 bits.
 * @passes  Two, and three more with elastic displacements.
 * @errors
 *   - GLNN_E_ARG: a matrix is null or belongs to another context. out is PAGED. A number of the
 *     description is out of its range or has no effect.
 *   - GLNN_E_SHAPE: x and out differ, or the shape has another size than a row.
 *   - GLNN_E_LIMIT: the images, with a border of one pixel, do not fit one texture or the texture
 *     budget.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_distort(glnn_context *ctx, const glnn_distortion *distortion,
                                        uint64_t seed, uint64_t step, const glnn_matrix *x,
                                        glnn_matrix *out);

/** Blurs images with a Gaussian.
 *
 *      out(x, y) = sum over i, j of g(i) g(j) in(x + i, y + j),  g(i) ~ exp(-i^2 / (2 sigma^2))
 *
 * i and j go from -r to r, where r is 3 sigma, rounded up, and the g sum to 1. Beyond the edge of
 * the image its outermost pixels continue.
 *
 * @param   shape of an image; zeros: one square channel.
 * @param   sigma in pixels, above 0 and at most the larger side of the image.
 * @shapes  x and out are m x n, where n is the size of the shape. out may be x.
 * @passes  Two.
 * @errors
 *   - GLNN_E_ARG: a matrix is null or belongs to another context; out is PAGED; sigma is out of its
 *     range.
 *   - GLNN_E_SHAPE: x and out differ, or the shape has another size than a row.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_blur(glnn_context *ctx, glnn_shape shape, float sigma,
                                     const glnn_matrix *x, glnn_matrix *out);

/** Normalises images: each gets the mean 0 and the standard deviation 1.
 *
 *      out = (x - m) / max(s, least)
 *
 * m is the mean and s the standard deviation of all numbers of a row.
 *
 * @param   least above 0: images with a smaller standard deviation are not amplified more than this
 *                one, so that those of one colour become zero.
 * @shapes  x and out are m x n. out may be x.
 * @passes  Four to six.
 * @errors
 *   - GLNN_E_ARG: a matrix is null or belongs to another context; out is PAGED; least is not finite
 *     or not above 0.
 *   - GLNN_E_SHAPE: x and out differ.
 *   - GLNN_E_STATE, GLNN_E_LIMIT, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_normalise(glnn_context *ctx, float least, const glnn_matrix *x,
                                          glnn_matrix *out);

/** The numbers that glnn_image_gradients() makes of an image: 8 x 8 points of 8 directions. */
#define GLNN_IMAGE_GRADIENTS 512

/** The greatest height and width of an image for glnn_image_gradients(). */
#define GLNN_IMAGE_GRADIENTS_SIDE 1024

/** Computes gradient direction features, by which handwritten characters are recognised better than
 * by their pixels.
 *
 * The gradient of a pixel comes from the Sobel operator. Beyond the edge of an image all pixels are
 * 0, so the background should be 0.
 *
 *      g_x(x, y) = sum over j of c_j (in(x + 1, y + j) - in(x - 1, y + j)),  c = 1, 2, 1
 *      g_y(x, y) = sum over i of c_i (in(x + i, y + 1) - in(x + i, y - 1)),  i, j = -1, 0, 1
 *
 * It is the sum of two vectors in neighbouring ones of 8 directions, of which d has the angle
 * 45 d degrees. Their lengths are the parts p_d(x, y) of the gradient; the other parts are 0. The
 * parts of all pixels are summed around 8 x 8 points, and the sums s are normalised:
 *
 *      s(u, v, d) = sum over x, y of g(x, u, width) g(y, v, height) p_d(x, y)
 *      g(i, k, n) = exp(-(pi a / 2)^2),  a = (i + 1/2) 8 / n - (k + 1/2)
 *      out(u, v, d) = sqrt(s(u, v, d) / mean of all s)
 *
 * g is a Gaussian with a standard deviation of sqrt(2) / pi times the distance of two points, which
 * the sampling theorem suggests. i goes from c - r to c + r, and from -1 to n. There c is
 * (2 k + 1) n / 16, rounded down, and r is 3 sqrt(2) n / (8 pi), rounded up. The mean square of a
 * row of `out` is 1. An image that is 0 everywhere has zeros.
 *
 * Gradients are taken from the image as it is, and only their places are scaled to the 8 x 8
 * points. So images of any size and contrast have features that can be compared, and scaling does
 * not change the directions of strokes. This is the idea of Liu: Normalization-cooperated gradient
 * feature extraction for handwritten character recognition (2007), for a linear map of the image.
 * Unlike there, the sums are exact Gaussian sums, and a row is normalised.
 *
 * @param   shape of an image, with one channel; zeros: a square.
 * @shapes  x is m x n, where n is the size of the shape. out is m x 512. The number for point
 *          (u, v) and direction d is in column (8 v + u) 8 + d.
 * @numbers A sum s is exact to (width + height + 300) 2^-24 times the sum that it would be if each
 *          part were 8 times the greatest magnitude of a pixel.
 * @passes  Four or five.
 * @errors
 *   - GLNN_E_ARG: a matrix is null or belongs to another context; out is PAGED; the shape has
 *     several channels.
 *   - GLNN_E_SHAPE: out has another shape, or `shape` has another size than a row.
 *   - GLNN_E_LIMIT: a side is more than #GLNN_IMAGE_GRADIENTS_SIDE, or a matrix of
 *     64 (height + 2) columns in the layout of out exceeds the limits of a matrix.
 *   - GLNN_E_STATE, GLNN_E_NOMEM, GLNN_E_SHADER, GLNN_E_GL: see glnn/base.h.
 * @thread  the context's own.
 * @since   0.2 */
GLNN_API glnn_status glnn_image_gradients(glnn_context *ctx, glnn_shape shape, const glnn_matrix *x,
                                          glnn_matrix *out);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
