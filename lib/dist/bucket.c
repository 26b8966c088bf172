#include "dist/bucket.h"

#include "dist/add.h"
#include "dist/notice.h"

#include <stdlib.h>

/* All libraries of MPI have tags up to this one. */
enum { TAGS = 32768 };

/* AUTO sums more numbers by the tree. */
static const size_t most_for_allreduce = 65536;

/* The other side of an operation. */
typedef struct glnn__mpi_peer {
    int rank;  /* -1: all */
    int bytes; /* to receive; -1: the operation sends */
} peer;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

size_t glnn__mpi_bucket_count(const glnn_mpi *group, const glnn__mpi_message *message)
{
    size_t most = 0;
    if (!message->begins)
        return divide_up(message->count, group->desc.bucket);
    for (int r = 0; r < group->ranks; ++r) {
        const size_t bytes = message->begins[r + 1] - message->begins[r];
        most = bytes > most ? bytes : most;
    }
    return divide_up(most, group->desc.bucket * sizeof(float));
}

glnn_status glnn__mpi_bucket_create(glnn__mpi_bucket *bucket, int ranks)
{
    const size_t most = 2 * (size_t)ranks + 2;
    bucket->requests = calloc(most, sizeof *bucket->requests);
    bucket->statuses = calloc(most, sizeof *bucket->statuses);
    bucket->peers = calloc(most, sizeof *bucket->peers);
    return bucket->requests && bucket->statuses && bucket->peers ? GLNN_OK : GLNN_E_NOMEM;
}

void glnn__mpi_bucket_destroy(glnn__mpi_bucket *bucket)
{
    free(bucket->requests);
    free(bucket->statuses);
    free(bucket->peers);
    free(bucket->children);
}

/* ---- Operations */

static MPI_Request *add_operation(glnn__mpi_bucket *bucket, int rank, int bytes)
{
    const int place = bucket->operations++;
    bucket->peers[place] = (peer){rank, bytes};
    bucket->requests[place] = MPI_REQUEST_NULL;
    return &bucket->requests[place];
}

static void send(glnn_mpi *group, glnn__mpi_bucket *bucket, const void *from, size_t bytes, int to)
{
    MPI_Request *request = add_operation(bucket, to, -1);
    glnn__mpi_check(group,
                    MPI_Isend(from, (int)bytes, MPI_BYTE, to, bucket->tag, group->data, request),
                    "MPI_Isend");
}

static void receive(glnn_mpi *group, glnn__mpi_bucket *bucket, void *to, size_t bytes, int from)
{
    MPI_Request *request = add_operation(bucket, from, (int)bytes);
    glnn__mpi_check(group,
                    MPI_Irecv(to, (int)bytes, MPI_BYTE, from, bucket->tag, group->data, request),
                    "MPI_Irecv");
}

/* ---- Stages of a sum */

static char *numbers_of(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    return bucket->of->values +
           bucket->index * group->desc.bucket * glnn__mpi_size_of(bucket->of->storage);
}

static size_t count_of(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    return smaller(group->desc.bucket, bucket->of->count - bucket->index * group->desc.bucket);
}

static size_t bytes_of(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    return count_of(group, bucket) * glnn__mpi_size_of(bucket->of->storage);
}

static void sum_by_mpi(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    MPI_Request *request = add_operation(bucket, -1, -1);
    glnn__mpi_check(group,
                    MPI_Iallreduce(MPI_IN_PLACE, numbers_of(group, bucket),
                                   (int)count_of(group, bucket), MPI_FLOAT, MPI_SUM, group->data,
                                   request),
                    "MPI_Iallreduce");
}

/* Rank r has the children 2 r + 1 and 2 r + 2. */
static int children_of(const glnn_mpi *group)
{
    const int after = group->ranks - 1 - 2 * group->rank;
    return after < 0 ? 0 : after > 2 ? 2 : after;
}

static int parent_of(const glnn_mpi *group)
{
    return (group->rank - 1) / 2;
}

static void collect(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const int children = children_of(group);
    const size_t room = group->desc.bucket * sizeof(float);
    if (children && !bucket->children)
        bucket->children = malloc(2 * room);
    if (children && !bucket->children)
        glnn__mpi_notice(group, "rank %d on %s failed: no memory for the sum of %zu numbers",
                         group->rank, group->hosts[group->rank], group->desc.bucket);
    for (int i = 0; i < children && bucket->children; ++i)
        receive(group, bucket, bucket->children + (size_t)i * room, bytes_of(group, bucket),
                2 * group->rank + 1 + i);
}

static void rise(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    char *numbers = numbers_of(group, bucket);
    const void *const from[] = {numbers, bucket->children,
                                bucket->children + group->desc.bucket * sizeof(float)};
    const int children = children_of(group);
    if (children)
        glnn__mpi_add(group->pool, bucket->of->storage, numbers, from, 1 + children,
                      count_of(group, bucket));
    if (group->rank > 0)
        send(group, bucket, numbers, bytes_of(group, bucket), parent_of(group));
}

static void await(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    if (group->rank > 0)
        receive(group, bucket, numbers_of(group, bucket), bytes_of(group, bucket),
                parent_of(group));
}

static void spread(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    for (int i = 0; i < children_of(group); ++i)
        send(group, bucket, numbers_of(group, bucket), bytes_of(group, bucket),
             2 * group->rank + 1 + i);
}

/* ---- The stage of a gathering */

/* The bytes of a rank's numbers in this bucket; *place receives where they are. */
static size_t share_of(const glnn_mpi *group, const glnn__mpi_bucket *bucket, int rank,
                       size_t *place)
{
    const size_t *begins = bucket->of->begins;
    const size_t room = group->desc.bucket * sizeof(float);
    *place = begins[rank] + bucket->index * room;
    return *place < begins[rank + 1] ? smaller(room, begins[rank + 1] - *place) : 0;
}

/* Ranks begin with different others, so that not all send to the same one at a time. */
static void gather(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    size_t own, place;
    const size_t own_bytes = share_of(group, bucket, group->rank, &own);
    for (int i = 1; i < group->ranks; ++i) {
        const int from = (group->rank - i + group->ranks) % group->ranks;
        const int to = (group->rank + i) % group->ranks;
        const size_t bytes = share_of(group, bucket, from, &place);
        if (bytes)
            receive(group, bucket, bucket->of->values + place, bytes, from);
        if (own_bytes)
            send(group, bucket, bucket->of->values + own, own_bytes, to);
    }
}

/* ---- From stage to stage */

typedef void (*stage)(glnn_mpi *group, glnn__mpi_bucket *bucket);

static const stage allreduce_stages[] = {sum_by_mpi, NULL};
static const stage tree_stages[] = {collect, rise, await, spread, NULL};
static const stage gather_stages[] = {gather, NULL};

/* MPI has no numbers of 16 bits. */
static const stage *stages_of(const glnn_mpi *group, const glnn__mpi_message *message)
{
    if (message->begins)
        return gather_stages;
    if (message->storage == GLNN_STORAGE_FLOAT16)
        return tree_stages;
    if (group->desc.algorithm == GLNN_MPI_ALGORITHM_AUTO)
        return message->count <= most_for_allreduce ? allreduce_stages : tree_stages;
    return group->desc.algorithm == GLNN_MPI_ALGORITHM_TREE ? tree_stages : allreduce_stages;
}

static void enter_stage(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const stage enter = stages_of(group, bucket->of)[bucket->stage++];
    bucket->operations = 0;
    if (enter) {
        enter(group, bucket);
        return;
    }
    ++bucket->of->finished;
    bucket->of = NULL;
}

void glnn__mpi_bucket_begin(glnn_mpi *group, glnn__mpi_bucket *bucket, glnn__mpi_message *message,
                            uint64_t number)
{
    bucket->of = message;
    bucket->index = message->started++;
    bucket->tag = (int)(number % TAGS);
    bucket->stage = 0;
    enter_stage(group, bucket);
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

/* Returns whether all operations are complete. */
static bool test(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    int done = 0;
    const int code = MPI_Testall(bucket->operations, bucket->requests, &done, bucket->statuses);
    for (int i = 0; code == MPI_ERR_IN_STATUS && i < bucket->operations; ++i) {
        const int error = bucket->statuses[i].MPI_ERROR;
        const int rank = bucket->peers[i].rank;
        if (error != MPI_SUCCESS && error != MPI_ERR_PENDING && rank >= 0)
            glnn__mpi_notice(group, "a message between rank %d and rank %d on %s failed",
                             group->rank, rank, group->hosts[rank]);
    }
    glnn__mpi_check(group, code, "MPI_Testall");
    return code == MPI_SUCCESS && done;
}

bool glnn__mpi_bucket_advance(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    bool moved = false;
    while (bucket->of && !group->watch.noticed.text[0] && test(group, bucket)) {
        check_sizes(group, bucket);
        enter_stage(group, bucket);
        moved = true;
    }
    return moved;
}

/* Collective operations and those that send cannot be cancelled. */
void glnn__mpi_bucket_cancel(glnn__mpi_bucket *bucket)
{
    for (int i = 0; bucket->of && i < bucket->operations; ++i)
        if (bucket->peers[i].bytes >= 0 && bucket->requests[i] != MPI_REQUEST_NULL)
            MPI_Cancel(&bucket->requests[i]);
}

bool glnn__mpi_bucket_has_ended(glnn__mpi_bucket *bucket)
{
    int done = 1;
    if (bucket->of)
        MPI_Testall(bucket->operations, bucket->requests, &done, bucket->statuses);
    return done != 0;
}

int glnn__mpi_bucket_peer(const glnn__mpi_bucket *bucket)
{
    for (int i = 0; bucket->of && i < bucket->operations; ++i) {
        int done = 1;
        if (bucket->requests[i] != MPI_REQUEST_NULL)
            MPI_Request_get_status(bucket->requests[i], &done, MPI_STATUS_IGNORE);
        if (!done && bucket->peers[i].rank >= 0)
            return bucket->peers[i].rank;
    }
    return -1;
}
