/* Operations of MPI that a bucket has under way. */
#ifndef GLNN__DIST_OPERATIONS_H
#define GLNN__DIST_OPERATIONS_H

#include "dist/state.h"

glnn_status glnn__mpi_operations_create(glnn__mpi_bucket *bucket, int ranks);
void glnn__mpi_operations_destroy(glnn__mpi_bucket *bucket);

/* Begin to send and to receive bytes. */
void glnn__mpi_send(glnn_mpi *group, glnn__mpi_bucket *bucket, const void *from, size_t bytes,
                    int to);
void glnn__mpi_receive(glnn_mpi *group, glnn__mpi_bucket *bucket, void *to, size_t bytes, int from);

/* The request of an operation of all processes that follows. */
MPI_Request *glnn__mpi_add_collective(glnn__mpi_bucket *bucket);

/* Whether all operations are complete. A failure is noticed. */
bool glnn__mpi_operations_test(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* Cancels operations, as far as MPI can. */
void glnn__mpi_operations_cancel(glnn__mpi_bucket *bucket);

/* Whether no operation is under way. Until then, each call of MPI may access the message. */
bool glnn__mpi_operations_have_ended(glnn__mpi_bucket *bucket);

/* A rank that an operation waits for, or -1. */
int glnn__mpi_operations_peer(const glnn__mpi_bucket *bucket);

#endif
