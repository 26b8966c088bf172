/* Time, and failing with a sentence. */
#ifndef GLNN__DIST_SUPPORT_H
#define GLNN__DIST_SUPPORT_H

#include <glnn/base.h>

/* Seconds since an arbitrary moment. */
double glnn__mpi_now(void);

/* Sets the sentence of glnn_last_error() and returns `status`. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__mpi_fail(glnn_status status,
                                                                 const char *format, ...);

#endif
