/* The expected time of the pass of a product, for the context's limit. */
#ifndef GLNN__OPS_PASS_TIME_H
#define GLNN__OPS_PASS_TIME_H

#include "tex/matrix.h"

/* Microseconds that a pass with this many multiply-adds takes by the device profile. It is 0, and
 * nothing is measured, if the context has no limit or the pass is too short to matter. */
glnn_status glnn__pass_time(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                            double *us);

#endif
