/* Maps, for other operations. */
#ifndef GLNN__OPS_MAP_H
#define GLNN__OPS_MAP_H

#include "pass/kernel.h"
#include "tex/matrix.h"

/* The numbers of maps, for kernels that use include/maps.glsl. */
extern const glnn__enumerator glnn__map_enumerators[];

/* Subtracts a row (1 x columns) from every row of a matrix. */
glnn_status glnn__subtract_row(glnn_context *ctx, const glnn_matrix *row, glnn_matrix *from);

#endif
