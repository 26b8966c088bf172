/* The processes of a group: their ranks and hosts, and the communicators between them. */
#ifndef GLNN__DIST_MEMBERS_H
#define GLNN__DIST_MEMBERS_H

#include <glnn/base.h>

#include <mpi.h>
#include <stdbool.h>

/* The mates of a process are those that share memory with it, and the process itself. The first of
 * them is their leader. Processes that share no memory are their own leaders. */
typedef struct glnn__mpi_members {
    int rank, ranks, host_rank, host_ranks;
    char (*hosts)[MPI_MAX_PROCESSOR_NAME]; /* of all ranks */
    MPI_Comm all, host, between; /* of all, of the mates, of the leaders (else MPI_COMM_NULL) */
    int mates, place;            /* how many, and the place of this process among them */
    int *mate_ranks, *leader_of;
    int leaders, leader; /* how many, and the place of this process; -1: it is none */
    int *leader_ranks;
} glnn__mpi_members;

/* Mates are at most so many, if it is not 0: tests make several hosts of one. */
extern int glnn__mpi_most_of_host;

/* Finds the hosts and the mates. All processes call these functions. Errors of MPI come back as
 * codes from then on. */
glnn_status glnn__mpi_members_join(glnn__mpi_members *members, bool messages_only);

/* Makes each of the mates alone. */
glnn_status glnn__mpi_members_part(glnn__mpi_members *members);

/* Finds and connects the leaders, when the mates are certain. */
glnn_status glnn__mpi_members_lead(glnn__mpi_members *members);

/* After a failure, MPI may still use the communicators. */
void glnn__mpi_members_leave(glnn__mpi_members *members, bool has_failed);

/* Sets the sentence of glnn_last_error() and returns `status`. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__mpi_fail(glnn_status status,
                                                                 const char *format, ...);

/* The same for a function of MPI that glnn_mpi_create has called, unless `code` is MPI_SUCCESS. */
glnn_status glnn__mpi_check_call(int code, const char *function);

#endif
