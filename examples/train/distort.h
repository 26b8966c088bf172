/* Distortions as text, and a sheet of distorted images. */
#ifndef TRAIN_DISTORT_H
#define TRAIN_DISTORT_H

#include <glnn/distortion.h>

#include <stdbool.h>

#include "samples.h"

/* Reads a list such as "affine, elastic, rotation 15". Commas separate entries. A kind of
 * distortion sets its numbers to those that suit handwritten digits; the name of a number and a
 * value set one. False with a failure that names the entry. */
bool distort_parse(const char *text, glnn_distortion *out);

/* Draws the first training images into a PNG file. Each row has an image and, next to it, the image
 * as it is distorted in the first steps. Colours are drawn as gray. Failures end the program, as
 * with CHECK. */
void distort_draw(glnn_context *ctx, const glnn_distortion *distortion, uint64_t seed,
                  const samples *data, const char *path);

#endif
