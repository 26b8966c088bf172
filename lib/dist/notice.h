/* Noticing a failure of this process, of another one or of MPI. The driving thread calls these. */
#ifndef GLNN__DIST_NOTICE_H
#define GLNN__DIST_NOTICE_H

#include <glnn/mpi.h>

/* Notices a failure; only the first one counts. */
__attribute__((format(printf, 2, 3))) void glnn__mpi_notice(glnn_mpi *group, const char *format,
                                                            ...);

/* Notices a failure unless `code` is MPI_SUCCESS. */
void glnn__mpi_check(glnn_mpi *group, int code, const char *function);

#endif
