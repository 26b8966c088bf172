/* Stages of a gathering: shares of processes of this host are copied from shared memory, and those
 * of others are messages of MPI. */
#ifndef GLNN__DIST_GATHER_H
#define GLNN__DIST_GATHER_H

#include "dist/state.h"

/* The bytes of a rank in this bucket; *place receives where they are in the message. */
size_t glnn__mpi_gather_share(const glnn_mpi *group, const glnn__mpi_bucket *bucket, int rank,
                              size_t *place);

/* Shows the own share to the processes of this host, and begins messages with the others. */
void glnn__mpi_gather_exchange(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* Copies the shares of the processes of this host. */
void glnn__mpi_gather_copy(glnn_mpi *group, glnn__mpi_bucket *bucket);

#endif
