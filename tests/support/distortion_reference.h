/* Distorted images in double precision. */
#ifndef TESTS_DISTORTION_REFERENCE_H
#define TESTS_DISTORTION_REFERENCE_H

#include "support.h"

#include <glnn/distortion.h>

/* The greatest error of a position in pixels: devices interpolate with 8 bits, and the position
 * itself is computed in float32. */
#define POSITION_BOUND (1.0 / 256 + 2e-3)

/* The three numbers below [0, 1) of draw `number` of an image. */
void reference_draw(uint64_t seed, uint64_t step, int place, uint32_t number, double out[4]);

/* The affine map that moves points of the image, row by row. */
void reference_affine(const glnn_distortion *of, uint64_t seed, uint64_t step, int place,
                      double m[9]);

/* The images that glnn_image_distort makes of x. The shape is set. */
expected reference_distort(const glnn_distortion *of, uint64_t seed, uint64_t step, array x);

/* The standard deviation of the elastic displacements that `reference_distort` used last. */
double reference_displacement(void);

#endif
