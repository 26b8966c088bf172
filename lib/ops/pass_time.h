/* How long the pass of a product may take, for the context's limit. */
#ifndef GLNN__OPS_PASS_TIME_H
#define GLNN__OPS_PASS_TIME_H

#include "tex/matrix.h"

/* Microseconds that a pass of so many multiply-adds is expected to take by the device profile; 0 where
 * the context has no limit, or the pass is too short to matter: then nothing is measured. */
glnn_status glnn__pass_time(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                            double *us);

#endif
