/* The description of distortions: its defaults and its checks. */
#ifndef GLNN__DISTORTIONS_DISTORTION_H
#define GLNN__DISTORTIONS_DISTORTION_H

#include "io/fields.h"

#include <glnn/distortion.h>

/* The fields of a glnn_distortion; their keys begin with "distortion.". */
extern const glnn__fields glnn__distortion_fields;

bool glnn__distortion_is_affine(const glnn_distortion *distortion);

/* Whether any number but the shape and the background is set, even if it is out of its range. */
bool glnn__distortion_is_asked(const glnn_distortion *distortion);

/* Whether it changes any image. */
bool glnn__distortion_is_active(const glnn_distortion *distortion);

/* Fills in the shape of images with so many features: `own` if it has a height or a width, else one
 * square channel. E_SHAPE: the shape has another size. `role` is the argument. */
glnn_status glnn__shape_resolve(const char *role, glnn_shape own, int features, glnn_shape *shape);

/* Checks a description and fills in its defaults; `own` is the shape of the learner's input, or
 * zeros. */
glnn_status glnn__distortion_resolve(const glnn_distortion *desc, glnn_shape own, int features,
                                     glnn_distortion *out);

/* -1 / (2 sigma^2), and finite for any sigma above 0. */
float glnn__falloff(float sigma);

/* Marks the counters of distortions, so that no other random numbers of the same seed are equal. */
#define GLNN__DISTORTION_MARK 0x64697374

#endif
