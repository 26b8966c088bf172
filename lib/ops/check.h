/* Checks of arguments. `what` is the public function, which begins the sentence of an error, and
 * `role` is the argument. */
#ifndef GLNN__OPS_CHECK_H
#define GLNN__OPS_CHECK_H

#include "tex/matrix.h"

#include <glnn/map.h>

/* Fails with E_ARG if the context or the matrix is null, or if the matrix belongs to another
 * context; with E_STATE if the context was destroyed. */
glnn_status glnn__check_operand(const glnn_context *ctx, const char *what, const char *role,
                                const glnn_matrix *matrix);

/* The same for a matrix that passes write: it also fails if the matrix is PAGED. */
glnn_status glnn__check_output(const glnn_context *ctx, const char *what, const char *role,
                               const glnn_matrix *matrix);

/* Fails with E_SHAPE if the matrix has another shape. */
glnn_status glnn__check_shape(const char *what, const char *role, const glnn_matrix *matrix,
                              int rows, int columns);

/* Fails with E_ARG if the value is not an enumerator, of which there are `count`. */
glnn_status glnn__check_enumerator(const char *what, const char *role, int value, int count);

#endif
