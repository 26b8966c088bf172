/* A bucket: a part of a message that travels on its own. It goes through a list of stages. Each
 * stage begins operations of MPI, and the next one follows when all of them are complete. */
#ifndef GLNN__DIST_BUCKET_H
#define GLNN__DIST_BUCKET_H

#include "dist/state.h"

/* How many buckets a message has. */
size_t glnn__mpi_bucket_count(const glnn_mpi *group, const glnn__mpi_message *message);

glnn_status glnn__mpi_bucket_create(glnn__mpi_bucket *bucket, int ranks);
void glnn__mpi_bucket_destroy(glnn__mpi_bucket *bucket);

/* Begins a bucket. All processes begin the same buckets in the same order; `number` is the place in
 * it. */
void glnn__mpi_bucket_begin(glnn_mpi *group, glnn__mpi_bucket *bucket, glnn__mpi_message *message,
                            uint64_t number);

/* Enters the next stages, as far as operations are complete. Returns whether it entered one. The
 * bucket is free after its last stage. */
bool glnn__mpi_bucket_advance(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* Cancels the operations of a bucket, as far as MPI can. */
void glnn__mpi_bucket_cancel(glnn__mpi_bucket *bucket);

/* Whether no operation is under way. Until then, each call of MPI may access the message. */
bool glnn__mpi_bucket_has_ended(glnn__mpi_bucket *bucket);

/* A rank that an operation of the bucket waits for, or -1. */
int glnn__mpi_bucket_peer(const glnn__mpi_bucket *bucket);

#endif
