/* Makes a drawn digit look as those of MNIST: scaled and centred by its ink, on the GPU.
 *
 * LeCun, Cortes and Burges describe their preparation on the page of MNIST: "The original black and
 * white (bilevel) images from NIST were size normalized to fit in a 20x20 pixel box while
 * preserving their aspect ratio. The resulting images contain grey levels as a result of the
 * anti-aliasing technique used by the normalization algorithm. the images were centered in a 28x28
 * image by computing the center of mass of the pixels, and translating the image so as to position
 * this point at the center of the 28x28 field."
 * Two details follow from the images themselves. The longer side of the box is 20 pixels, also for
 * a small digit. The translation is by whole pixels: the centre of mass lies in pixel 14.
 *
 * With all coordinates in pixels, counted along one axis of a canvas from its first edge:
 *
 *     mid, length   the middle of the bounding box of the ink, and its longer side
 *     scale = 20 / length
 *     shift = 14 - floor(scale (centre of mass - mid) + 1/64)
 *     place in the image = scale (place in the canvas - mid) + shift
 *
 * The 1/64 keeps rounding errors from moving a symmetric digit by a pixel. A pixel of the image is
 * the mean of the canvas over its area. Ink outside of the image is lost, which takes a digit whose
 * centre of mass is near its end.
 *
 * All steps are operations on matrices. Nothing is read back, so the preparation never waits. */
#ifndef EXAMPLES_DIGIT_H
#define EXAMPLES_DIGIT_H

#include <glnn/matrix.h>

enum {
    DIGIT_SIDE = 28,                       /* of the image                       */
    DIGIT_PIXELS = DIGIT_SIDE * DIGIT_SIDE /* the features of a sample of MNIST */
};

typedef struct digit digit;

/* Prepares canvases of side x side pixels, side from 1 to 4096. */
digit *digit_create(glnn_context *ctx, int side);

void digit_destroy(digit *of);

/* Computes the image of a canvas: side x side, row 0 at the top, 0 for paper and 1 for ink. An
 * empty canvas gives an empty image. */
void digit_prepare(digit *of, const glnn_matrix *canvas);

/* The image, DIGIT_SIDE x DIGIT_SIDE, and the same as a sample, 1 x DIGIT_PIXELS. Both belong to
 * the digit and change with the next preparation. */
const glnn_matrix *digit_get_image(const digit *of);
const glnn_matrix *digit_get_sample(const digit *of);

#endif
