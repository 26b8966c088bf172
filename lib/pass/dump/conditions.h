/* The conditions of a shader's text: which lines the compiler sees. */
#ifndef GLNN__PASS_DUMP_CONDITIONS_H
#define GLNN__PASS_DUMP_CONDITIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the lines that #if, #elif and #else leave, without these directives. Returns false if it
 * cannot evaluate a condition; the caller then drops the output. */
bool glnn__conditions_resolve(const char *text, FILE *to);

#endif
