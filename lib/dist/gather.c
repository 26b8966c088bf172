#include "dist/gather.h"

#include "base/pool.h"
#include "dist/host.h"
#include "dist/operations.h"

size_t glnn__mpi_gather_share(const glnn_mpi *group, const glnn__mpi_bucket *bucket, int rank,
                              size_t *place)
{
    const size_t *begins = bucket->of->begins;
    const size_t room = group->desc.bucket * sizeof(float);
    *place = begins[rank] + bucket->index * room;
    if (*place >= begins[rank + 1])
        return 0;
    const size_t rest = begins[rank + 1] - *place;
    return rest < room ? rest : room;
}

/* Ranks begin with different others, so that not all send to the same one at a time. */
static void exchange_with_other_hosts(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    size_t place;
    for (int i = 1; i < group->ranks; ++i) {
        const int from = (group->rank - i + group->ranks) % group->ranks;
        const int to = (group->rank + i) % group->ranks;
        const size_t bytes = glnn__mpi_gather_share(group, bucket, from, &place);
        if (bytes && !glnn__mpi_host_has(group, from))
            glnn__mpi_receive(group, bucket, bucket->of->values + place, bytes, from);
        if (bucket->bytes && !glnn__mpi_host_has(group, to))
            glnn__mpi_send(group, bucket, bucket->numbers, bucket->bytes, to);
    }
}

void glnn__mpi_gather_exchange(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    if (glnn__mpi_host_is_shared(group))
        glnn__mpi_host_show(group, bucket, bucket->bytes <= GLNN__MPI_SMALL);
    exchange_with_other_hosts(group, bucket);
}

void glnn__mpi_gather_copy(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < group->mates; ++i) {
        size_t place;
        const size_t bytes = glnn__mpi_gather_share(group, bucket, group->mate_ranks[i], &place);
        const char *share = glnn__mpi_host_numbers(group, bucket, i, bytes);
        if (!share)
            return;
        if (i != group->place)
            glnn__pool_copy(group->pool, bucket->of->values + place, share, bytes);
    }
}
