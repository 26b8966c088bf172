#include "dist/between.h"

#include "dist/arrays.h"
#include "dist/notice.h"
#include "dist/operations.h"

#include <stdlib.h>

void glnn__mpi_between_reduce(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    if (group->leader < 0)
        return;
    MPI_Request *request = glnn__mpi_add_collective(bucket);
    glnn__mpi_check(group,
                    MPI_Iallreduce(MPI_IN_PLACE, bucket->shown, (int)bucket->count, MPI_FLOAT,
                                   MPI_SUM, group->between[bucket - group->buckets], request),
                    "MPI_Iallreduce");
}

/* Leader n has the children 2 n + 1 and 2 n + 2. */
static int children_of(const glnn_mpi *group)
{
    const int after = group->leaders - 1 - 2 * group->leader;
    return group->leader < 0 || after < 0 ? 0 : after > 2 ? 2 : after;
}

static int child_of(const glnn_mpi *group, int child)
{
    return group->leader_ranks[2 * group->leader + 1 + child];
}

static bool has_parent(const glnn_mpi *group)
{
    return group->leader > 0;
}

static int parent_of(const glnn_mpi *group)
{
    return group->leader_ranks[(group->leader - 1) / 2];
}

void glnn__mpi_between_collect(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const int children = children_of(group);
    const size_t room = group->desc.bucket * sizeof(float);
    if (children && !bucket->children)
        bucket->children = malloc(2 * room);
    if (children && !bucket->children)
        glnn__mpi_notice(group, "rank %d on %s failed: no memory for the sum of %zu numbers",
                         group->rank, group->hosts[group->rank], group->desc.bucket);
    for (int i = 0; i < children && bucket->children; ++i)
        glnn__mpi_receive(group, bucket, bucket->children + (size_t)i * room, bucket->bytes,
                          child_of(group, i));
}

void glnn__mpi_between_rise(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const void *const from[] = {bucket->shown, bucket->children,
                                bucket->children + group->desc.bucket * sizeof(float)};
    const int children = children_of(group);
    if (children)
        glnn__mpi_add(group->pool, bucket->shown, from, 1 + children, bucket->count);
    if (has_parent(group))
        glnn__mpi_send(group, bucket, bucket->shown, bucket->bytes, parent_of(group));
}

void glnn__mpi_between_await(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    if (has_parent(group))
        glnn__mpi_receive(group, bucket, bucket->shown, bucket->bytes, parent_of(group));
}

void glnn__mpi_between_spread(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < children_of(group); ++i)
        glnn__mpi_send(group, bucket, bucket->shown, bucket->bytes, child_of(group, i));
}
