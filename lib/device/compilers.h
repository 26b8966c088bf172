/* The trials of the compiler of shaders, which the table in device/trials.c lists. */
#ifndef GLNN__DEVICE_COMPILERS_H
#define GLNN__DEVICE_COMPILERS_H

#include "gl/gl.h"

/* A loop that copies an array to another one, one place down, stores each number in its place.
 * Virgl of Mesa 22.3 does not if it does not unroll the loop. */
glnn_status glnn__try_copy_loops(glnn_context *ctx, bool *has);

/* The compiler keeps the computation of a sum's rounding error, which algebra reduces to zero. */
glnn_status glnn__try_rounding_errors(glnn_context *ctx, bool *has);

#endif
