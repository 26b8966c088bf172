/* A bucket: a part of a message that travels on its own. It goes through a list of stages. Each
 * stage begins operations of MPI, or shows the processes of the host how far this one is. The next
 * stage follows when all operations are complete and the processes of the host are as far. */
#ifndef GLNN__DIST_BUCKET_H
#define GLNN__DIST_BUCKET_H

#include "dist/state.h"

/* How many buckets a message has. */
size_t glnn__mpi_bucket_count(const glnn_mpi *group, const glnn__mpi_message *message);

glnn_status glnn__mpi_bucket_create(glnn__mpi_bucket *bucket, int ranks);
void glnn__mpi_bucket_destroy(glnn__mpi_bucket *bucket);

bool glnn__mpi_bucket_is_free(const glnn__mpi_bucket *bucket);

/* Begins a bucket. All processes begin the same buckets in the same order; `number` is the place in
 * it. The same number is always begun in the same element of the array of buckets. */
void glnn__mpi_bucket_begin(glnn_mpi *group, glnn__mpi_bucket *bucket, glnn__mpi_message *message,
                            uint64_t number);

/* Enters the next stages until one has to wait for other processes. Returns whether it entered one.
 * The bucket no longer belongs to its message when the numbers have arrived, and is free after its
 * last stage. */
bool glnn__mpi_bucket_advance(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* A rank that the bucket waits for, or -1. */
int glnn__mpi_bucket_peer(const glnn_mpi *group, const glnn__mpi_bucket *bucket);

#endif
