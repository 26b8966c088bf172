/* Cuts a shader's text down to the code that its main uses, so that people can read it. */
#ifndef GLNN__PASS_DUMP_CUT_H
#define GLNN__PASS_DUMP_CUT_H

#include "pass/variant.h"

#include <stdio.h>

/* Writes the text without conditions and without the functions, variables and macros that nothing
 * uses. A line "// ----" names the file that the lines below it come from. Returns false if the
 * text has parts that this room's parser does not know; the caller then drops the output. */
bool glnn__text_cut(const glnn__text *text, FILE *to);

#endif
