/* No pass keeps the device for longer than the context's limit. */
#ifndef GLNN__OPS_STRIPS_H
#define GLNN__OPS_STRIPS_H

#include "pass/pass.h"

/* Into how many strips a pass of so many multiply-adds is to be cut. The device is measured, once a
 * layout, when the first pass comes that is long enough to matter. */
glnn_status glnn__strips(glnn_context *ctx, glnn_layout layout, double multiply_adds,
                         glnn__fetching fetching, int *strips);

#endif
