/* Checks of the numbers that learners take and return. */
#ifndef GLNN__DATA_CHECK_H
#define GLNN__DATA_CHECK_H

#include <glnn/base.h>

#include <stdint.h>

/* From this magnitude on float16 is infinite. */
#define GLNN__HALF_OVERFLOW 65520.0f

/* Fails with E_ARG if one of rows x columns numbers is not finite. `what` begins the sentence, and
 * `row` is its word for a row: "sample". */
glnn_status glnn__check_finite(const char *what, const char *row, int64_t rows, int columns,
                               const float *values);

/* Fails with E_FORMAT if a number is too large for float16. */
glnn_status glnn__check_half(const char *what, const char *row, int64_t rows, int columns,
                             const float *values);

/* The same with E_DIVERGED for the outputs of samples, which are numbered from `first` on. */
glnn_status glnn__check_outputs(const char *what, int64_t first, int samples, int outputs,
                                const float *values);

#endif
