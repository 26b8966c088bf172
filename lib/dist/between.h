/* Stages of a sum between the leaders of all hosts, by messages of MPI. Other processes have
 * nothing to do in them. */
#ifndef GLNN__DIST_BETWEEN_H
#define GLNN__DIST_BETWEEN_H

#include "dist/state.h"

/* The all-reduce of MPI. */
void glnn__mpi_between_reduce(glnn_mpi *group, glnn__mpi_bucket *bucket);

/* The tree. */
void glnn__mpi_between_collect(glnn_mpi *group, glnn__mpi_bucket *bucket);
void glnn__mpi_between_rise(glnn_mpi *group, glnn__mpi_bucket *bucket);
void glnn__mpi_between_await(glnn_mpi *group, glnn__mpi_bucket *bucket);
void glnn__mpi_between_spread(glnn_mpi *group, glnn__mpi_bucket *bucket);

#endif
