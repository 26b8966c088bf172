/* The processes of a host that share memory with this one, and how far each of them is with its
 * buckets.
 *
 * Each process has a segment. It starts with a board, on which the process writes and the others
 * read: where the numbers of its buckets are, and which phase it has reached with them. */
#ifndef GLNN__DIST_HOST_H
#define GLNN__DIST_HOST_H

#include "dist/state.h"

/* The progress of a process with a bucket. */
typedef enum glnn__mpi_phase {
    GLNN__MPI_SHOWN, /* the others may read its numbers                   */
    GLNN__MPI_ADDED, /* its part of the numbers has the sum of the host   */
    GLNN__MPI_WHOLE, /* of the leader: its numbers have the sum of all    */
    GLNN__MPI_TAKEN, /* it does not read the numbers of the others again  */
    GLNN__MPI_PHASES
} glnn__mpi_phase;

/* Buckets of at most so many bytes are copied, so that the others can read them for as long as they
 * like. */
enum { GLNN__MPI_SMALL = 16384 };

/* Processes that share memory are at most so many, if it is not 0: tests make several hosts of
 * one. */
extern int glnn__mpi_most_of_host;

/* Finds the processes that share memory, and the leaders of all hosts. All processes call it. */
glnn_status glnn__mpi_host_join(glnn_mpi *group);
void glnn__mpi_host_leave(glnn_mpi *group);

/* Whether this process shares memory with others. */
bool glnn__mpi_host_is_shared(const glnn_mpi *group);

/* Whether this process shares memory with one of a rank. */
bool glnn__mpi_host_has(const glnn_mpi *group, int rank);

/* Shows the numbers of a bucket to the others, and expects that all of them do so. `copies` says
 * that the others must not read the memory of the program. */
void glnn__mpi_host_show(glnn_mpi *group, glnn__mpi_bucket *bucket, bool copies);

/* Says that a bucket has reached a phase. */
void glnn__mpi_host_reach(glnn_mpi *group, const glnn__mpi_bucket *bucket, glnn__mpi_phase phase);

/* The bucket waits until all processes of the host have reached a phase, or only the leader. */
void glnn__mpi_host_await(glnn__mpi_bucket *bucket, glnn__mpi_phase phase, bool leader_only);

/* The rank of a process that has not reached the phase which a bucket awaits, or -1. */
int glnn__mpi_host_behind(const glnn_mpi *group, const glnn__mpi_bucket *bucket);

/* The numbers that process `place` of the host has shown, of `bytes` bytes. NULL, after a failure,
 * if that process has shown numbers of another message. */
const char *glnn__mpi_host_numbers(glnn_mpi *group, const glnn__mpi_bucket *bucket, int place,
                                   size_t bytes);

#endif
