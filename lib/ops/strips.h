/* No pass keeps the device for longer than the context's limit. */
#ifndef GLNN__OPS_STRIPS_H
#define GLNN__OPS_STRIPS_H

#include "tex/matrix.h"

/* Into how many strips a pass of so many multiply-adds is to be cut. The device is measured, once a
 * layout, when the first pass comes that is long enough to matter. */
glnn_status glnn__strips(glnn_context *ctx, glnn_layout layout, double multiply_adds, int *strips);

#endif
