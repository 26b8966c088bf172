/* Failing with a sentence. */
#ifndef GLNN__DIST_SUPPORT_H
#define GLNN__DIST_SUPPORT_H

#include <glnn/base.h>

/* Sets the sentence of glnn_last_error() and returns `status`. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__mpi_fail(glnn_status status,
                                                                 const char *format, ...);

/* The same for a function of MPI that glnn_mpi_create has called, unless `code` is MPI_SUCCESS. */
glnn_status glnn__mpi_check_call(int code, const char *function);

#endif
