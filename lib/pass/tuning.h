/* Choices between equal variants that are made by timing them on the device at hand, once a driver:
 * they are kept on disk beside the programs. None changes a bit of a result. */
#ifndef GLNN__PASS_TUNING_H
#define GLNN__PASS_TUNING_H

#include "tex/layout.h"

#include "gl/gl.h"

/* Whether an inner product into this layout reads its operands faster by sampling at coordinates
 * than by texelFetch, in the context's stage. Times both where that is not known yet, unless
 * GLNN_TUNE=off. */
glnn_status glnn__tuning_samples(glnn_context *ctx, glnn_layout layout, bool *samples);

#endif
