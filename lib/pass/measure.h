/* Measuring a device's figures. */
#ifndef GLNN__PASS_MEASURE_H
#define GLNN__PASS_MEASURE_H

#include "pass/figures.h"

/* Measures the figures of the context's stage; those of writing are set before the others are measured,
 * so that these are written as passes will be. Programs are made, and the GPU is waited for. */
glnn_status glnn__measure_figures(glnn_context *ctx, glnn__figures *out);

#endif
