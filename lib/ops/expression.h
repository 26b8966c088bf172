/* The check of GLSL expressions that programs hand over as text. */
#ifndef GLNN__OPS_EXPRESSION_H
#define GLNN__OPS_EXPRESSION_H

#include "base/status.h"

/* Fails with E_ARG unless the text can only be one expression: it has 1 to 4096 characters,
 * parentheses in pairs, no comment, and none of the characters that end an expression or a line.
 * The compiler checks the rest. `what` is the public function. */
glnn_status glnn__check_expression(const char *what, const char *text);

#endif
