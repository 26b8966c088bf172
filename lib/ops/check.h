/* Checks of operands, separate from the work. `what` is the public function's name. */
#ifndef GLNN__OPS_CHECK_H
#define GLNN__OPS_CHECK_H

#include "tex/matrix.h"

#include <glnn/map.h>

/* Neither is null, and the matrix belongs to the context. `role` is the parameter's name. */
glnn_status glnn__check_operand(const glnn_context *ctx, const char *what, const char *role,
                                const glnn_matrix *matrix);

/* The same, and passes can write the matrix. */
glnn_status glnn__check_output(const glnn_context *ctx, const char *what, const char *role,
                               const glnn_matrix *matrix);

glnn_status glnn__check_shape(const char *what, const char *role, const glnn_matrix *matrix,
                              int rows, int columns);

glnn_status glnn__check_map(const char *what, glnn_map map);

#endif
