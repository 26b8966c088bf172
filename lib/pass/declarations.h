/* Checks of descriptors. A compiler would report the same mistakes in other words and places. */
#ifndef GLNN__PASS_DECLARATIONS_H
#define GLNN__PASS_DECLARATIONS_H

#include "pass/variant.h"

/* Fails with E_ARG if a declaration of an operand or uniform is malformed, or if an operand that
 * the kernel does not declare has a matrix. */
glnn_status glnn__declarations_check(const glnn__variant *variant);

/* The operand without a matrix whose functions or macros a compiler's message names; NULL: none. */
const char *glnn__declarations_find_missing(const glnn__variant *variant, const char *log);

#endif
