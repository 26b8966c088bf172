/* GLNN_DUMP_SHADERS: the texts of shaders, as files for people to read. */
#ifndef GLNN__PASS_DUMP_H
#define GLNN__PASS_DUMP_H

#include "pass/variant.h"

/* Writes the text of a variant into a folder, which it makes if it is missing. The file is named
 * after the kernel, its layouts and the stage; where another variant has that name already, also by
 * a number. A failure is a warning. */
void glnn__shader_dump(const char *folder, const glnn__variant *variant, const char *expression,
                       const glnn__text *text);

#endif
