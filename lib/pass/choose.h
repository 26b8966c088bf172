/* Choosing the variant of a pass: how it writes, adds and fetches. */
#ifndef GLNN__PASS_CHOOSE_H
#define GLNN__PASS_CHOOSE_H

#include "pass/variant.h"

/* Fills in the variant except its expression. It may ask for the device profile, which measures. */
glnn_status glnn__choose_variant(glnn_context *ctx, const glnn__pass *pass, glnn__variant *variant);

#endif
