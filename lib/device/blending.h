/* Whether blending computes as IEEE arithmetic does. */
#ifndef GLNN__DEVICE_BLENDING_H
#define GLNN__DEVICE_BLENDING_H

#include "gl/gl.h"

/* True if blending to a float32 target rounds the product with the factor and then the sum, each to
 * the nearest number. Shaders that add round in this way, so both give the same bits. It also has
 * to take a factor that changes between two draws, which Mesa's zink 22.3 ignores. The function
 * tries blending on the device once per context; the counters do not include this. */
glnn_status glnn__blending_is_exact(glnn_context *ctx, bool *out);

#endif
