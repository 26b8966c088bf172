/* Choices between equal variants that are made by timing them on the device at hand, once a driver:
 * they are kept on disk beside the programs. None changes a bit of a result. */
#ifndef GLNN__PASS_TUNING_H
#define GLNN__PASS_TUNING_H

#include "pass/pass.h"

/* How an inner product into this layout reads its operands fastest, in the context's stage. Times
 * what the driver can do where that is not known yet, unless GLNN_TUNE=off. */
glnn_status glnn__tuning_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching);

#endif
