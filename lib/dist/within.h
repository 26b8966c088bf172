/* Stages of a sum of the processes of a host, through shared memory.
 *
 * The numbers of a bucket are divided into one part for each process, in their order. Each process
 * adds its part of the numbers of all, and the others copy the result. In small buckets each
 * process adds all numbers by itself, so that it waits only once. */
#ifndef GLNN__DIST_WITHIN_H
#define GLNN__DIST_WITHIN_H

#include "dist/state.h"

/* The others may read the numbers. */
void glnn__mpi_within_show(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* The same for a small bucket, whose numbers are copied. */
void glnn__mpi_within_show_copy(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* This process adds all numbers. */
void glnn__mpi_within_add(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* This process adds its part of the numbers. */
void glnn__mpi_within_add_part(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* This process copies the parts of the others. */
void glnn__mpi_within_copy_parts(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* The leader copies the parts of the others to what it has shown. */
void glnn__mpi_within_lead(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* The leader has the sum of all hosts, and the others await it. */
void glnn__mpi_within_announce(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* This process copies the sum from the leader. */
void glnn__mpi_within_copy_sum(glnn_mpi *group, glnn__mpi_bucket *bucket);

#endif
