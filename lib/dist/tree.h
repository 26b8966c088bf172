/* Sums the numbers of the leaders by messages between pairs of them: up a binary tree, in which
 * each leader adds the numbers of its two children to its own, and down again. A bucket rises while
 * the one before it falls. */
#ifndef GLNN__DIST_TREE_H
#define GLNN__DIST_TREE_H

#include "base/pool.h"
#include "dist/watch.h"

typedef struct glnn__mpi_tree {
    const glnn__mpi_members *members;
    glnn__mpi_watch *watch;
    glnn__pool *pool;
    size_t bytes;               /* of a bucket, at most */
    char *children;             /* room for two buckets of two children; freed by the owner */
    MPI_Request receives[2][2]; /* of these buckets */
} glnn__mpi_tree;

/* Makes room for the children, if this process has some, when the other members are set. Returns
 * whether there is memory. */
bool glnn__mpi_tree_create(glnn__mpi_tree *tree);

/* The operations of a bucket: to the children and the parent and from it. Zeros are not valid:
 * all are MPI_REQUEST_NULL when none is under way. */
enum { GLNN__MPI_TREE_REQUESTS = 4 };

/* Leaders call the three for each bucket, in the same order; `index` counts the buckets. The first
 * one begins to receive the numbers of the children, at most one bucket before it rises. The last
 * one ends when the numbers of all have arrived; requests that send them on may still be under way.
 * They return false after a failure. */
bool glnn__mpi_tree_expect(glnn__mpi_tree *tree, size_t index, size_t count);
bool glnn__mpi_tree_rise(glnn__mpi_tree *tree, size_t index, char *numbers, size_t count,
                         MPI_Request *requests);
bool glnn__mpi_tree_fall(glnn__mpi_tree *tree, char *numbers, size_t count, MPI_Request *requests);

#endif
