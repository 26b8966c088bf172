/* How fast the device at hand multiplies in each stage of the pipeline. */
#ifndef GLNN__PASS_SPEED_H
#define GLNN__PASS_SPEED_H

#include "pass/pass.h"

/* Measures the general inner product, in multiply-adds a millisecond. Programs are made, and the GPU
 * is waited for. */
glnn_status glnn__speed_measure(glnn_context *ctx, glnn_stage stage, glnn_layout layout,
                                glnn__fetching fetching, double *multiply_adds_per_ms);

/* Where the context's stage is AUTO, measures both and takes the faster one. */
glnn_status glnn__stage_resolve(glnn_context *ctx);

#endif
