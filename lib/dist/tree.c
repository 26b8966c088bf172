#include "dist/tree.h"

#include "dist/sum.h"

#include <stdlib.h>

enum { TREE_TAG = 2 };

/* The places of the operations of a bucket. */
enum { FROM_PARENT, TO_PARENT, TO_CHILDREN };

/* Leader n has the children 2 n + 1 and 2 n + 2. */
static int children_of(const glnn__mpi_members *members)
{
    const int after = members->leaders - 1 - 2 * members->leader;
    return after < 0 ? 0 : after > 2 ? 2 : after;
}

static int child_of(const glnn__mpi_members *members, int child)
{
    return members->leader_ranks[2 * members->leader + 1 + child];
}

static bool send(const glnn__mpi_tree *tree, const void *numbers, size_t bytes, int to,
                 MPI_Request *request)
{
    return glnn__mpi_check(
        tree->watch,
        MPI_Isend(numbers, (int)bytes, MPI_BYTE, to, TREE_TAG, tree->members->data, request),
        "MPI_Isend");
}

static bool receive(const glnn__mpi_tree *tree, void *numbers, size_t bytes, int from,
                    MPI_Request *request)
{
    return glnn__mpi_check(
        tree->watch,
        MPI_Irecv(numbers, (int)bytes, MPI_BYTE, from, TREE_TAG, tree->members->data, request),
        "MPI_Irecv");
}

/* Another number of bytes means that the processes do not sum the same numbers. */
static bool wait_for(const glnn__mpi_tree *tree, int count, MPI_Request *requests, size_t bytes)
{
    const glnn__mpi_members *members = tree->members;
    MPI_Status statuses[2];
    if (!glnn__mpi_complete(tree->watch, count, requests, statuses))
        return false;
    for (int i = 0; i < count; ++i) {
        int got = 0;
        MPI_Get_count(&statuses[i], MPI_BYTE, &got);
        if ((size_t)got == bytes)
            continue;
        const int rank = statuses[i].MPI_SOURCE;
        glnn__mpi_notice(tree->watch, "rank %d on %s sent %d bytes, but rank %d expects %zu", rank,
                         members->hosts[rank], got, members->rank, bytes);
        return false;
    }
    return true;
}

static bool add_children(glnn__mpi_tree *tree, char *numbers, size_t count)
{
    const glnn__mpi_members *members = tree->members;
    const int children = children_of(members);
    const size_t bytes = count * sizeof(float);
    MPI_Request requests[2];
    if (!tree->children)
        tree->children = malloc(2 * tree->bytes);
    if (!tree->children) {
        glnn__mpi_notice(tree->watch, "rank %d on %s failed: no memory for %zu bytes of others",
                         members->rank, members->hosts[members->rank], 2 * tree->bytes);
        return false;
    }
    for (int i = 0; i < children; ++i)
        if (!receive(tree, tree->children + (size_t)i * tree->bytes, bytes, child_of(members, i),
                     &requests[i]))
            return false;
    if (!wait_for(tree, children, requests, bytes))
        return false;
    glnn__mpi_add(tree->pool, numbers,
                  (const void *[]){numbers, tree->children, tree->children + tree->bytes},
                  1 + children, count);
    return true;
}

bool glnn__mpi_tree_rise(glnn__mpi_tree *tree, char *numbers, size_t count, MPI_Request *requests)
{
    const glnn__mpi_members *members = tree->members;
    const size_t bytes = count * sizeof(float);
    if (children_of(members) && !add_children(tree, numbers, count))
        return false;
    if (members->leader == 0)
        return true;
    const int parent = members->leader_ranks[(members->leader - 1) / 2];
    return send(tree, numbers, bytes, parent, &requests[TO_PARENT]) &&
           receive(tree, numbers, bytes, parent, &requests[FROM_PARENT]);
}

bool glnn__mpi_tree_fall(glnn__mpi_tree *tree, char *numbers, size_t count, MPI_Request *requests)
{
    const glnn__mpi_members *members = tree->members;
    const size_t bytes = count * sizeof(float);
    if (members->leader > 0 && !wait_for(tree, 1, &requests[FROM_PARENT], bytes))
        return false;
    for (int i = 0; i < children_of(members); ++i)
        if (!send(tree, numbers, bytes, child_of(members, i), &requests[TO_CHILDREN + i]))
            return false;
    return true;
}
