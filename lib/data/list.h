/* Lists: long columns of numbers, one after the other in the rows of a matrix (include/list.glsl).
 * A column of its own could not be longer than a texture. */
#ifndef GLNN__DATA_LIST_H
#define GLNN__DATA_LIST_H

#include "pass/kernel.h"
#include "tex/matrix.h"

/* A power of two, by which the longest list, of GLNN__MAX_NUMBERED numbers, fits into a texture. */
enum { GLNN__LIST_COLUMNS = 1024 };

/* For kernels that use include/list.glsl. */
extern const glnn__enumerator glnn__list_enumerators[];

/* The rows of the matrix of a list. */
int glnn__list_rows(int length);

/* A list of zeros in the layout PACKED or UNPACKED. */
glnn_status glnn__list_create(glnn_context *ctx, glnn_layout layout, int length, const char *name,
                              glnn_matrix **out);

#endif
