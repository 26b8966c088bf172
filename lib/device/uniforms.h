/* Whether compute shaders see the uniforms that were set last. */
#ifndef GLNN__DEVICE_UNIFORMS_H
#define GLNN__DEVICE_UNIFORMS_H

#include "gl/gl.h"

/* True if a compute shader takes a new value of a uniform also after another program was used.
 * Mesa's zink 22.3 and 25.0 on a software rasteriser compile such values into programs, and can
 * then take a program with an earlier value. The function tries it on the device. */
glnn_status glnn__uniforms_are_current(glnn_context *ctx, bool *out);

#endif
