#include "dist/operations.h"

#include "dist/notice.h"

#include <stdlib.h>

/* The other side of an operation. */
typedef struct glnn__mpi_peer {
    int rank;  /* -1: all */
    int bytes; /* to receive; -1: the operation sends */
} peer;

glnn_status glnn__mpi_operations_create(glnn__mpi_bucket *bucket, int ranks)
{
    const size_t most = 2 * (size_t)ranks + 2;
    bucket->requests = calloc(most, sizeof *bucket->requests);
    bucket->statuses = calloc(most, sizeof *bucket->statuses);
    bucket->peers = calloc(most, sizeof *bucket->peers);
    return bucket->requests && bucket->statuses && bucket->peers ? GLNN_OK : GLNN_E_NOMEM;
}

void glnn__mpi_operations_destroy(glnn__mpi_bucket *bucket)
{
    free(bucket->requests);
    free(bucket->statuses);
    free(bucket->peers);
}

static MPI_Request *add_operation(glnn__mpi_bucket *bucket, int rank, int bytes)
{
    const int place = bucket->operations++;
    bucket->peers[place] = (peer){rank, bytes};
    bucket->requests[place] = MPI_REQUEST_NULL;
    return &bucket->requests[place];
}

void glnn__mpi_send(glnn_mpi *group, glnn__mpi_bucket *bucket, const void *from, size_t bytes,
                    int to)
{
    MPI_Request *request = add_operation(bucket, to, -1);
    glnn__mpi_check(group,
                    MPI_Isend(from, (int)bytes, MPI_BYTE, to, bucket->tag, group->data, request),
                    "MPI_Isend");
}

void glnn__mpi_receive(glnn_mpi *group, glnn__mpi_bucket *bucket, void *to, size_t bytes, int from)
{
    MPI_Request *request = add_operation(bucket, from, (int)bytes);
    glnn__mpi_check(group,
                    MPI_Irecv(to, (int)bytes, MPI_BYTE, from, bucket->tag, group->data, request),
                    "MPI_Irecv");
}

MPI_Request *glnn__mpi_add_collective(glnn__mpi_bucket *bucket)
{
    return add_operation(bucket, -1, -1);
}

/* Another number of bytes means that the processes do not exchange the same numbers. */
static void check_sizes(glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < bucket->operations; ++i) {
        const peer *from = &bucket->peers[i];
        int bytes = 0;
        if (from->bytes < 0)
            continue;
        MPI_Get_count(&bucket->statuses[i], MPI_BYTE, &bytes);
        if (bytes != from->bytes)
            glnn__mpi_notice(group, "rank %d on %s sent %d bytes, but rank %d expects %d",
                             from->rank, group->hosts[from->rank], bytes, group->rank, from->bytes);
    }
}

static void notice_failed(glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < bucket->operations; ++i) {
        const int error = bucket->statuses[i].MPI_ERROR;
        const int rank = bucket->peers[i].rank;
        if (error != MPI_SUCCESS && error != MPI_ERR_PENDING && rank >= 0)
            glnn__mpi_notice(group, "a message between rank %d and rank %d on %s failed",
                             group->rank, rank, group->hosts[rank]);
    }
}

bool glnn__mpi_operations_test(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    int done = 1;
    if (bucket->operations == 0)
        return true;
    const int code = MPI_Testall(bucket->operations, bucket->requests, &done, bucket->statuses);
    if (code == MPI_ERR_IN_STATUS)
        notice_failed(group, bucket);
    glnn__mpi_check(group, code, "MPI_Testall");
    if (code != MPI_SUCCESS || !done)
        return false;
    check_sizes(group, bucket);
    bucket->operations = 0;
    return true;
}

/* Collective operations and those that send cannot be cancelled. */
void glnn__mpi_operations_cancel(glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < bucket->operations; ++i)
        if (bucket->peers[i].bytes >= 0 && bucket->requests[i] != MPI_REQUEST_NULL)
            MPI_Cancel(&bucket->requests[i]);
}

bool glnn__mpi_operations_have_ended(glnn__mpi_bucket *bucket)
{
    int done = 1;
    if (bucket->operations > 0)
        MPI_Testall(bucket->operations, bucket->requests, &done, bucket->statuses);
    return done != 0;
}

int glnn__mpi_operations_peer(const glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < bucket->operations; ++i) {
        int done = 1;
        if (bucket->requests[i] != MPI_REQUEST_NULL)
            MPI_Request_get_status(bucket->requests[i], &done, MPI_STATUS_IGNORE);
        if (!done && bucket->peers[i].rank >= 0)
            return bucket->peers[i].rank;
    }
    return -1;
}
