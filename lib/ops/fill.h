/* The pass of a fill, for those who measure it, and scaling in place. */
#ifndef GLNN__OPS_FILL_H
#define GLNN__OPS_FILL_H

#include "pass/pass.h"

/* The pass that sets all elements to a value. */
glnn__pass glnn__fill_pass(float value, glnn_matrix *out);

/* out = factor * out; if the factor is 0 and no slot, out is not read. */
glnn_status glnn__scale(glnn_context *ctx, glnn__uniform factor, glnn_matrix *out);

#endif
