/* Checks of what callers hand to learners. */
#ifndef GLNN__LEARN_CHECK_H
#define GLNN__LEARN_CHECK_H

#include <glnn/base.h>

/* E_ARG where a number of rows x columns is not finite: its sentence begins with `what`, and a row is
 * a `row`, "sample" say. */
glnn_status glnn__check_finite(const char *what, const char *row, int rows, int columns,
                               const float *values);

#endif
