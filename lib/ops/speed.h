/* How fast the device at hand multiplies, so that no pass keeps it for too long. */
#ifndef GLNN__OPS_SPEED_H
#define GLNN__OPS_SPEED_H

#include "tex/matrix.h"

/* Into how many strips a pass of so many multiply-adds is to be cut. The device is measured, once a
 * layout, when the first pass comes that is long enough to matter. */
glnn_status glnn__speed_strips(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                               int *strips);

#endif
