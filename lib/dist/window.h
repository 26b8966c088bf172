/* The window of shared memory that the processes of a host have: memory for numbers, and a table in
 * which each process says how far it is. A process that is alone has a table of its own. The table
 * is read and written by atomic operations of C, which all memory between processes of a host obeys
 * as it does between threads. */
#ifndef GLNN__DIST_WINDOW_H
#define GLNN__DIST_WINDOW_H

#include "base/thread.h"
#include "dist/members.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Buckets that a process shows at a time. Those of several hosts take the most: the mates copy a
 * bucket four rounds after it was shown. */
enum { GLNN__MPI_SLOTS = 5 };

/* A rank. Those of the host write this themselves. Their leader writes what it is told of the other
 * leaders; of other ranks nothing is known. Times are in seconds of the host's clock. */
typedef struct glnn__mpi_life {
    alignas(64) _Atomic uint64_t arrivals; /* how often it has come to meet its mates */
    _Atomic uint64_t messages;             /* how many it has begun to carry */
    _Atomic double seen;                   /* when its thread was there */
    _Atomic double worked;                 /* when the program did long work; INFINITY: it does */
    _Atomic int has_left;                  /* it will not meet the others any more */
} glnn__mpi_life;

/* Numbers that a process shows to its mates. */
typedef struct glnn__mpi_shown {
    size_t offset, bytes;
    int is_sum;
} glnn__mpi_shown;

/* The first failure that a process of the host has noticed. */
typedef struct glnn__mpi_failure {
    _Atomic int state; /* 0: none; 1: the sentence is being written; 2: it is there */
    char sentence[1024];
} glnn__mpi_failure;

typedef struct glnn__mpi_window {
    MPI_Win shared; /* MPI_WIN_NULL: the process is alone */
    void *own;      /* the table of a process that is alone */
    char **bases;   /* shared memory of each mate, in their order */
    glnn__mpi_failure *failure;
    glnn__mpi_life *lives;        /* of all ranks */
    glnn__mpi_shown *shown;       /* GLNN__MPI_SLOTS of each mate */
    size_t segment;               /* bytes of the shared memory of each mate */
    char *memory;                 /* shared memory for numbers */
    size_t bytes;                 /* of it; 0: the process is alone */
    glnn__mutex lock;             /* for the parts */
    struct glnn__mpi_part *parts; /* of it that are used, in order */
    int count, most;              /* of the parts, and how many there is room for */
} glnn__mpi_window;

/* All processes call it. If they cannot share at least so many bytes of each of them, it makes the
 * processes of the host alone, and the log says why. */
glnn_status glnn__mpi_window_create(glnn__mpi_members *members, size_t least_bytes,
                                    glnn__mpi_window *out);

/* After a failure the memory stays, because the others may not answer, and MPI may use it. */
void glnn__mpi_window_destroy(glnn__mpi_window *window, bool has_failed);

/* Shared memory for numbers as long as there is room; else memory of the process. NULL: none is
 * left. Any thread may call these. */
void *glnn__mpi_window_allocate(glnn__mpi_window *window, size_t bytes);
void glnn__mpi_window_release(glnn__mpi_window *window, void *values);

/* Whether these bytes are in shared memory of this process. */
bool glnn__mpi_window_has(const glnn__mpi_window *window, const void *values, size_t bytes);

/* Whether what a mate shows is in its shared memory, and the numbers of a sum are aligned. */
bool glnn__mpi_window_holds(const glnn__mpi_window *window, const glnn__mpi_shown *shown);

#endif
