/* Shaders without their short loops.
 *
 * The compilers of browsers compare each index that is not a constant with its bounds, and some
 * keep an array in memory as soon as it has such an index. In a copy of a loop's body for each
 * turn, the indices are constants. */
#ifndef GLNN__PASS_UNROLL_H
#define GLNN__PASS_UNROLL_H

#include "io/growing_text.h"

/* Writes a shader without comments, with a copy of the body for each turn of the loops
 *     for (int NAME = 0; NAME < COUNT; ++NAME)
 * that have at most eight turns, and neither break nor continue. COUNT is a number or the name of
 * one that the shader defines once. Each line keeps its number. A text that would become longer
 * than 4 MiB is cut. */
void glnn__unroll(const char *shader, glnn__growing_text *out);

#endif
