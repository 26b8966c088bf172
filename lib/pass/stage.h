/* Which part of the pipeline runs kernels. */
#ifndef GLNN__PASS_STAGE_H
#define GLNN__PASS_STAGE_H

#include "gl/gl.h"

/* Where the context's stage is AUTO, measures both and takes the faster one. */
glnn_status glnn__stage_resolve(glnn_context *ctx);

/* Times a sample product in each stage, in milliseconds. Programs are made and the GPU is waited
 * for. */
glnn_status glnn__stage_compare(glnn_context *ctx, double *fragment_ms, double *compute_ms);

#endif
