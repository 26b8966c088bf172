/* Carries messages between all processes, one after the other.
 *
 * The numbers of a message are divided into buckets. For a sum of one host, those of a bucket are
 * divided again, into one part for each process in their order. Each process shows its numbers to
 * the others. When all have met, it adds its part of the numbers of all in shared memory, in the
 * order of the ranks; at the next meeting the others copy the result. Meanwhile they add parts of
 * the next bucket. With several hosts the leader collects the parts, the leaders sum between them,
 * two buckets at a time, and the others copy the result from their leader. */
#ifndef GLNN__DIST_CARRIER_H
#define GLNN__DIST_CARRIER_H

#include "base/pool.h"
#include "dist/tree.h"

#include <glnn/mpi.h>

/* A message: a sum or a gathering. */
typedef struct glnn__mpi_message {
    char *values;
    size_t count;         /* of a sum: its numbers */
    const size_t *begins; /* of a gathering: places in bytes, one more than ranks; else NULL */
} glnn__mpi_message;

typedef struct glnn__mpi_carrier {
    const glnn__mpi_members *members;
    glnn__mpi_window *window;
    glnn__mpi_watch *watch;
    glnn__pool *pool;
    glnn_mpi_algorithm algorithm;
    size_t most; /* bytes of a bucket */
    glnn__mpi_tree tree;
    char *staging[GLNN__MPI_SLOTS]; /* shared memory for a bucket; NULL: not needed yet */
    uint64_t carried;               /* buckets of former messages */
    const void **from;              /* room for a pointer for each mate */
    MPI_Request *requests;          /* room for one for each rank */
    MPI_Request between[GLNN__MPI_SLOTS][GLNN__MPI_TREE_REQUESTS]; /* of buckets */
} glnn__mpi_carrier;

/* The bytes of shared memory that a carrier needs for buckets of so many numbers. */
size_t glnn__mpi_carrier_needs(size_t numbers);

/* `desc` has no zeros. Returns whether there is memory. */
bool glnn__mpi_carrier_create(const glnn__mpi_members *members, glnn__mpi_window *window,
                              glnn__mpi_watch *watch, glnn__pool *pool, const glnn_mpi_desc *desc,
                              glnn__mpi_carrier *out);
void glnn__mpi_carrier_destroy(glnn__mpi_carrier *carrier);

/* Returns true when the numbers have arrived and are the program's own again; false after a
 * failure. */
bool glnn__mpi_carry(glnn__mpi_carrier *carrier, const glnn__mpi_message *message);

#endif
