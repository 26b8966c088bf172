#include "dist/host.h"

#include "base/pool.h"
#include "dist/memory.h"
#include "dist/notice.h"
#include "dist/support.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The host of a process: at most so many bytes of addresses for all segments. */
#define MOST_ADDRESSES ((size_t)1 << 45)

/* About one bucket. Each number is that of the latest bucket that has reached a phase, plus 1. */
typedef struct entry {
    alignas(64) _Atomic uint64_t reached[GLNN__MPI_PHASES];
    uint64_t place, bytes, kind;
} entry;

typedef struct board {
    glnn__mpi_token token;
    entry entries[GLNN__MPI_WINDOW];
} board;

struct glnn__mpi_host {
    glnn__mpi_segment segment;
    const char **segments; /* of all, in the order of their ranks */
    size_t bytes;          /* of each segment */
};

int glnn__mpi_most_of_host;

bool glnn__mpi_host_is_shared(const glnn_mpi *group)
{
    return group->mates > 1;
}

bool glnn__mpi_host_has(const glnn_mpi *group, int rank)
{
    return group->leader_of[rank] == group->leader_of[group->rank];
}

/* ---- How far the processes are */

static const entry *entry_of(const glnn_mpi *group, const glnn__mpi_bucket *bucket, int place)
{
    const board *of = (const void *)group->host->segments[place];
    return &of->entries[bucket - group->buckets];
}

static entry *own_entry(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    board *own = (void *)group->host->segment.base;
    return &own->entries[bucket - group->buckets];
}

void glnn__mpi_host_reach(glnn_mpi *group, const glnn__mpi_bucket *bucket, glnn__mpi_phase phase)
{
    atomic_store_explicit(&own_entry(group, bucket)->reached[phase], bucket->number + 1,
                          memory_order_release);
}

void glnn__mpi_host_await(glnn__mpi_bucket *bucket, glnn__mpi_phase phase, bool leader_only)
{
    bucket->awaits = (int)phase;
    bucket->awaits_leader = leader_only;
}

static bool has_reached(const glnn_mpi *group, const glnn__mpi_bucket *bucket, int place)
{
    return atomic_load_explicit(&entry_of(group, bucket, place)->reached[bucket->awaits],
                                memory_order_acquire) > bucket->number;
}

int glnn__mpi_host_behind(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    if (bucket->awaits < 0)
        return -1;
    const int end = bucket->awaits_leader ? 1 : group->mates;
    for (int place = 0; place < end; ++place)
        if (!has_reached(group, bucket, place))
            return group->mate_ranks[place];
    return -1;
}

/* ---- Numbers */

/* Copies numbers to the own segment, which has room for one bucket of each number. */
static bool stage(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const size_t room = group->desc.bucket * sizeof(float);
    if (!bucket->staging)
        bucket->staging = glnn__mpi_memory_allocate(group->memory, room);
    if (!bucket->staging) {
        glnn__mpi_notice(group, "rank %d on %s failed: no shared memory for %zu numbers",
                         group->rank, group->hosts[group->rank], group->desc.bucket);
        return false;
    }
    glnn__pool_copy(group->pool, bucket->staging, bucket->numbers, bucket->bytes);
    bucket->shown = bucket->staging;
    return true;
}

void glnn__mpi_host_show(glnn_mpi *group, glnn__mpi_bucket *bucket, bool copies)
{
    entry *own = own_entry(group, bucket);
    size_t offset = 0;
    bucket->shown = bucket->numbers;
    if (copies || !glnn__mpi_memory_has(group->memory, bucket->numbers, bucket->bytes, &offset)) {
        if (!stage(group, bucket))
            return;
        glnn__mpi_memory_has(group->memory, bucket->staging, 0, &offset);
    }
    own->place = offset;
    own->bytes = bucket->bytes;
    own->kind = (uint64_t)bucket->kind;
    glnn__mpi_host_reach(group, bucket, GLNN__MPI_SHOWN);
    glnn__mpi_host_await(bucket, GLNN__MPI_SHOWN, false);
}

const char *glnn__mpi_host_numbers(glnn_mpi *group, const glnn__mpi_bucket *bucket, int place,
                                   size_t bytes)
{
    static const char *const kinds[] = {"a sum", "a gathering"};
    const entry *from = entry_of(group, bucket, place);
    const int rank = group->mate_ranks[place];
    if (from->kind != (uint64_t)bucket->kind) {
        glnn__mpi_notice(group, "rank %d on %s has begun %s, but rank %d %s", rank,
                         group->hosts[rank], from->kind < 2 ? kinds[from->kind] : "another message",
                         group->rank, kinds[bucket->kind]);
        return NULL;
    }
    if (from->bytes != bytes) {
        glnn__mpi_notice(group, "rank %d on %s sent %llu bytes, but rank %d expects %zu", rank,
                         group->hosts[rank], (unsigned long long)from->bytes, group->rank, bytes);
        return NULL;
    }
    return group->host->segments[place] + from->place;
}

/* ---- Joining */

static size_t segment_bytes(int count)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), most = MOST_ADDRESSES / (size_t)count;
    const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * page;
    return (memory < most ? memory : most) / page * page;
}

/* The board is provided at once, and empty. */
static void create_segment(glnn_mpi *group, int count, glnn__mpi_address *own)
{
    glnn__mpi_segment *segment = &group->host->segment;
    glnn__mpi_segment_create(segment_bytes(count), segment, own);
    if (own->file < 0)
        return;
    group->memory = glnn__mpi_memory_create(segment, sizeof(board));
    if (group->memory)
        return;
    own->file = -1;
    snprintf(own->why, sizeof own->why, "no memory");
}

static bool open_segments(glnn_mpi *group, const glnn__mpi_address *all, int count, int place)
{
    for (int i = 0; i < count; ++i) {
        const char **base = &group->host->segments[i];
        if (all[i].file < 0)
            return false;
        *base = i == place ? group->host->segment.base : glnn__mpi_segment_open(&all[i]);
        if (!*base)
            return false;
    }
    return true;
}

static void say_why(const glnn_mpi *group, const glnn__mpi_address *all, int count)
{
    const char *why = "a process cannot open the memory of another one";
    char sentence[512];
    for (int i = 0; i < count; ++i)
        if (all[i].file < 0)
            why = all[i].why;
    snprintf(sentence, sizeof sentence,
             "the processes on %s send messages by MPI, because they cannot share memory: %s",
             group->hosts[group->rank], why);
    glnn_log_write(GLNN_LOG_WARNING, sentence);
}

static void close_segments(glnn_mpi *group)
{
    struct glnn__mpi_host *host = group->host;
    for (int i = 0; host->segments && i < group->mates; ++i)
        if (host->segments[i] != host->segment.base)
            glnn__mpi_segment_close(host->segments[i], host->bytes);
    glnn__mpi_memory_destroy(group->memory);
    group->memory = NULL;
    glnn__mpi_segment_destroy(&host->segment);
}

/* Without shared memory, each process is alone on its host. */
static void share_memory(glnn_mpi *group, MPI_Comm comm, glnn__mpi_address *all)
{
    int place, is_shared, are_all;
    MPI_Comm_rank(comm, &place);
    MPI_Comm_size(comm, &group->mates);
    create_segment(group, group->mates, &all[place]);
    group->host->bytes = all[place].bytes;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, all, (int)sizeof *all, MPI_BYTE, comm);
    is_shared = open_segments(group, all, group->mates, place);
    MPI_Allreduce(&is_shared, &are_all, 1, MPI_INT, MPI_MIN, comm);
    if (are_all) {
        MPI_Allgather(&group->rank, 1, MPI_INT, group->mate_ranks, 1, MPI_INT, comm);
        group->place = place;
        return;
    }
    if (place == 0)
        say_why(group, all, group->mates);
    close_segments(group);
    group->mates = 1;
}

/* The processes of this host that may share memory. */
static MPI_Comm split(const glnn_mpi *group)
{
    MPI_Comm host, part;
    const int most = group->desc.messages_only ? 1 : glnn__mpi_most_of_host;
    MPI_Comm_split_type(group->control, MPI_COMM_TYPE_SHARED, group->rank, MPI_INFO_NULL, &host);
    MPI_Comm_split(host, most > 0 ? group->host_rank / most : 0, group->rank, &part);
    MPI_Comm_free(&host);
    return part;
}

/* Leaders may enter the all-reduce of two buckets in another order, which MPI allows only in two
 * communicators. */
static void connect_leaders(glnn_mpi *group)
{
    for (int i = 0; i < GLNN__MPI_WINDOW; ++i) {
        MPI_Comm_split(group->control, group->leader < 0 ? MPI_UNDEFINED : 0, group->rank,
                       &group->between[i]);
        if (group->leader >= 0)
            MPI_Comm_set_errhandler(group->between[i], MPI_ERRORS_RETURN);
    }
}

static void find_leaders(glnn_mpi *group)
{
    MPI_Allgather(&group->mate_ranks[0], 1, MPI_INT, group->leader_of, 1, MPI_INT, group->control);
    group->leader = -1;
    for (int r = 0; r < group->ranks; ++r) {
        if (group->leader_of[r] != r)
            continue;
        if (r == group->rank)
            group->leader = group->leaders;
        group->leader_ranks[group->leaders++] = r;
    }
    connect_leaders(group);
}

glnn_status glnn__mpi_host_join(glnn_mpi *group)
{
    const size_t ranks = (size_t)group->ranks;
    MPI_Comm comm = split(group);
    glnn__mpi_address *all = calloc(ranks, sizeof *all);
    group->host = calloc(1, sizeof *group->host);
    group->mate_ranks = calloc(ranks, sizeof *group->mate_ranks);
    group->leader_of = calloc(ranks, sizeof *group->leader_of);
    group->leader_ranks = calloc(ranks, sizeof *group->leader_ranks);
    group->from = calloc(ranks, sizeof *group->from);
    if (group->host) {
        group->host->segment.file = -1;
        group->host->segments = calloc(ranks, sizeof *group->host->segments);
    }
    const bool has_memory = all && group->host && group->host->segments && group->mate_ranks &&
                            group->leader_of && group->leader_ranks && group->from;
    if (has_memory) {
        group->mate_ranks[0] = group->rank;
        MPI_Comm_size(comm, &group->mates);
        if (group->mates > 1)
            share_memory(group, comm, all);
        find_leaders(group);
    }
    MPI_Comm_free(&comm);
    free(all);
    return has_memory ? GLNN_OK : glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
}

/* After a failure, MPI may still access the memory. */
void glnn__mpi_host_leave(glnn_mpi *group)
{
    if (group->host && !group->failed) {
        close_segments(group);
        for (int i = 0; i < GLNN__MPI_WINDOW; ++i)
            if (group->between[i] != MPI_COMM_NULL)
                MPI_Comm_free(&group->between[i]);
        free(group->host->segments);
        free(group->host);
    }
    free(group->mate_ranks);
    free(group->leader_of);
    free(group->leader_ranks);
    free(group->from);
}
