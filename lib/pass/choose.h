/* Chooses how a pass writes, adds and fetches. */
#ifndef GLNN__PASS_CHOOSE_H
#define GLNN__PASS_CHOOSE_H

#include "pass/variant.h"

/* Fills in the variant, except its expression. It may have the device measured. */
glnn_status glnn__choose_variant(glnn_context *ctx, const glnn__pass *pass, glnn__variant *variant);

#endif
