/* Sequences: long columns of numbers, one after the other in the rows of a matrix
 * (include/sequence.glsl). A column of its own could not be longer than a texture. */
#ifndef GLNN__DATA_SEQUENCE_H
#define GLNN__DATA_SEQUENCE_H

#include "pass/kernel.h"
#include "tex/matrix.h"

/* A power of two, by which the longest sequence, of GLNN__MAX_NUMBERED numbers, fits into a
 * texture. */
enum { GLNN__SEQUENCE_COLUMNS = 1024 };

/* For kernels that use include/sequence.glsl. */
extern const glnn__enumerator glnn__sequence_enumerators[];

/* The rows of the matrix of a sequence. */
int glnn__sequence_rows(int length);

/* A sequence of zeros in the layout PACKED or UNPACKED. */
glnn_status glnn__sequence_create(glnn_context *ctx, glnn_layout layout, int length,
                                  const char *name, glnn_matrix **out);

#endif
