/* Whether blending rounds as IEEE arithmetic does. */
#ifndef GLNN__DEVICE_BLENDING_H
#define GLNN__DEVICE_BLENDING_H

#include "gl/gl.h"

/* True where blending a float32 target rounds the product with the factor and then the sum, to the
 * nearest number each: as the shaders do that add by themselves, so that it does not matter who adds.
 * Tried on the device once a context; counters do not count it. */
glnn_status glnn__blending_is_exact(glnn_context *ctx, bool *out);

#endif
