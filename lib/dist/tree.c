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
    return members->leader < 0 || after < 0 ? 0 : after > 2 ? 2 : after;
}

static bool send(const glnn__mpi_tree *tree, const void *numbers, size_t bytes, int to,
                 MPI_Request *request)
{
    const int code =
        MPI_Isend(numbers, (int)bytes, MPI_BYTE, to, TREE_TAG, tree->members->between, request);
    return glnn__mpi_check(tree->watch, code, "MPI_Isend");
}

static bool receive(const glnn__mpi_tree *tree, void *numbers, size_t bytes, int from,
                    MPI_Request *request)
{
    const int code =
        MPI_Irecv(numbers, (int)bytes, MPI_BYTE, from, TREE_TAG, tree->members->between, request);
    return glnn__mpi_check(tree->watch, code, "MPI_Irecv");
}

/* Another number of bytes means that the processes do not sum the same numbers. */
static bool wait_for(const glnn__mpi_tree *tree, int count, MPI_Request *requests, size_t bytes)
{
    const glnn__mpi_members *members = tree->members;
    MPI_Status statuses[2];
    if (!glnn__mpi_complete(tree->watch, count, requests, statuses))
        return false;
    for (int i = 0; i < count; ++i) {
        const int rank = members->leader_ranks[statuses[i].MPI_SOURCE];
        int got = 0;
        MPI_Get_count(&statuses[i], MPI_BYTE, &got);
        if ((size_t)got != bytes) {
            glnn__mpi_notice(tree->watch, "rank %d on %s sent %d bytes, but rank %d expects %zu",
                             rank, members->hosts[rank], got, members->rank, bytes);
            return false;
        }
    }
    return true;
}

static char *room_for(const glnn__mpi_tree *tree, size_t index, int child)
{
    return tree->children + (2 * (index % 2) + (size_t)child) * tree->bytes;
}

bool glnn__mpi_tree_expect(glnn__mpi_tree *tree, size_t index, size_t count)
{
    const int own = tree->members->leader;
    for (int i = 0; i < children_of(tree->members); ++i)
        if (!receive(tree, room_for(tree, index, i), count * sizeof(float), 2 * own + 1 + i,
                     &tree->receives[index % 2][i]))
            return false;
    return true;
}

static bool send_to_children(const glnn__mpi_tree *tree, const char *numbers, size_t bytes,
                             MPI_Request *requests)
{
    const int own = tree->members->leader;
    for (int i = 0; i < children_of(tree->members); ++i)
        if (!send(tree, numbers, bytes, 2 * own + 1 + i, &requests[TO_CHILDREN + i]))
            return false;
    return true;
}

bool glnn__mpi_tree_rise(glnn__mpi_tree *tree, size_t index, char *numbers, size_t count,
                         MPI_Request *requests)
{
    const int own = tree->members->leader, children = children_of(tree->members);
    const size_t bytes = count * sizeof(float);
    if (children) {
        const void *const from[] = {numbers, room_for(tree, index, 0), room_for(tree, index, 1)};
        if (!wait_for(tree, children, tree->receives[index % 2], bytes))
            return false;
        glnn__mpi_add(tree->pool, numbers, from, 1 + children, count);
    }
    if (own == 0)
        return send_to_children(tree, numbers, bytes, requests);
    return send(tree, numbers, bytes, (own - 1) / 2, &requests[TO_PARENT]) &&
           receive(tree, numbers, bytes, (own - 1) / 2, &requests[FROM_PARENT]);
}

bool glnn__mpi_tree_fall(glnn__mpi_tree *tree, char *numbers, size_t count, MPI_Request *requests)
{
    const size_t bytes = count * sizeof(float);
    return tree->members->leader == 0 || (wait_for(tree, 1, &requests[FROM_PARENT], bytes) &&
                                          send_to_children(tree, numbers, bytes, requests));
}

bool glnn__mpi_tree_create(glnn__mpi_tree *tree)
{
    tree->children = children_of(tree->members) ? malloc(4 * tree->bytes) : NULL;
    return tree->children || !children_of(tree->members);
}
