/* The trials of blending, which the table in device/trials.c lists. */
#ifndef GLNN__DEVICE_BLENDING_H
#define GLNN__DEVICE_BLENDING_H

#include "gl/gl.h"

/* Blending takes a factor that changes between two draws, which Mesa's zink 22.3 ignores. */
glnn_status glnn__try_blend_factors(glnn_context *ctx, bool *has);

/* Blending to a float32 target rounds the product with the factor and then the sum, each to the
 * nearest number. */
glnn_status glnn__try_blend_rounding(glnn_context *ctx, bool *has);

#endif
