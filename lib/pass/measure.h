/* Measuring the device profile. */
#ifndef GLNN__PASS_MEASURE_H
#define GLNN__PASS_MEASURE_H

#include "pass/figures.h"

/* Measures one group of the profile of the context's stage. Products ask `out` for what writing costs.
 * Programs are made, and the GPU is waited for. */
glnn_status glnn__measure_figures(glnn_context *ctx, glnn__figures_group group, glnn__figures *out);

#endif
