/* Checks of what callers hand to learners, and of what they get from them. */
#ifndef GLNN__DATA_CHECK_H
#define GLNN__DATA_CHECK_H

#include <glnn/base.h>

#include <stdint.h>

/* From this magnitude on a number of 16 bits is infinite. */
#define GLNN__HALF_OVERFLOW 65520.0f

/* E_ARG where a choice is none of the first `count` enumerators: its sentence begins with
 * `what`. */
glnn_status glnn__check_choice(const char *what, int value, int count);

/* E_ARG where a number of rows x columns is not finite: its sentence begins with `what`, and a row
 * is a `row`, "sample" say. */
glnn_status glnn__check_finite(const char *what, const char *row, int64_t rows, int columns,
                               const float *values);

/* The same with E_FORMAT if a number is too large for 16 bits. */
glnn_status glnn__check_half(const char *what, const char *row, int64_t rows, int columns,
                             const float *values);

/* The same with E_DIVERGED for the outputs of samples, which are numbered from `first` on. */
glnn_status glnn__check_outputs(const char *what, int64_t first, int samples, int outputs,
                                const float *values);

#endif
