#include "dist/messenger.h"

#include "dist/bucket.h"
#include "dist/memory.h"
#include "dist/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* No message of the program has this number. */
enum { NUMBER_OF_GATHER = -1 };

/* Of memory for messages: a line of a cache. */
enum { ALIGNMENT = 64 };

/* ---- With the lock */

static glnn_status refuse(glnn_mpi *group, const char *function, int number, const char *why)
{
    snprintf(group->error.text, sizeof group->error.text, "%s: message %d %s", function, number,
             why);
    return GLNN_E_STATE;
}

static glnn_status state_of(glnn_mpi *group)
{
    if (!group->failed)
        return GLNN_OK;
    group->error = group->failure;
    return GLNN_E_PROCESS;
}

static glnn__mpi_message **find(glnn_mpi *group, int number)
{
    glnn__mpi_message **at = &group->under_way;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    return at;
}

static glnn__mpi_message *take_unused(glnn_mpi *group)
{
    glnn__mpi_message *message = group->unused;
    if (message) {
        group->unused = message->next;
        return message;
    }
    message = calloc(1, sizeof *message);
    if (message)
        message->room = calloc((size_t)group->ranks + 1, sizeof *message->room);
    if (message && !message->room) {
        free(message);
        return NULL;
    }
    return message;
}

static void append(glnn_mpi *group, glnn__mpi_message *message)
{
    glnn__mpi_message **under_way = &group->under_way, **waiting = &group->waiting;
    while (*under_way)
        under_way = &(*under_way)->next;
    *under_way = message;
    ++group->begun;
    message->is_done = message->buckets == 0;
    if (message->is_done)
        return;
    while (*waiting)
        waiting = &(*waiting)->next_waiting;
    *waiting = message;
    pthread_cond_signal(&group->wake);
}

/* `what` has the members that describe the message. */
static glnn_status begin(glnn_mpi *group, const char *function, const glnn__mpi_message *what)
{
    if (state_of(group))
        return GLNN_E_PROCESS;
    if (*find(group, what->number))
        return refuse(group, function, what->number, "is already under way");
    glnn__mpi_message *message = take_unused(group);
    if (!message) {
        refuse(group, function, what->number, "does not fit into main memory");
        return GLNN_E_NOMEM;
    }
    size_t *room = message->room;
    *message = *what;
    message->room = room;
    if (what->begins) {
        memcpy(room, what->begins, ((size_t)group->ranks + 1) * sizeof *room);
        message->begins = room;
    }
    message->buckets = glnn__mpi_bucket_count(group, message);
    append(group, message);
    return GLNN_OK;
}

/* Gives the lock back meanwhile, because the driving thread needs it. */
static void poll_for(glnn_mpi *group, const glnn__mpi_message *message)
{
    const double end = group->waits_since + GLNN__MPI_POLLS_FOR;
    while (!message->is_done && !group->failed && glnn__mpi_now() < end) {
        const uint64_t seen = group->arrivals;
        pthread_mutex_unlock(&group->lock);
        while (group->arrivals == seen && glnn__mpi_now() < end)
            continue;
        pthread_mutex_lock(&group->lock);
    }
}

static glnn_status end(glnn_mpi *group, const char *function, int number)
{
    glnn__mpi_message **at = find(group, number), *message = *at;
    if (state_of(group))
        return GLNN_E_PROCESS;
    if (!message)
        return refuse(group, function, number, "is not under way");
    group->waits_since = glnn__mpi_now();
    if (group->has_spare_cores)
        poll_for(group, message);
    while (!message->is_done && !group->failed)
        pthread_cond_wait(&group->news, &group->lock);
    group->waits_since = 0;
    if (state_of(group))
        return GLNN_E_PROCESS;
    *at = message->next;
    message->next = group->unused;
    group->unused = message;
    return GLNN_OK;
}

/* ---- Of the messenger */

static glnn_status begin_sum(void *user, int number, float *values, size_t count)
{
    glnn_mpi *group = user;
    pthread_mutex_lock(&group->lock);
    const glnn_status status =
        begin(group, __func__,
              &(glnn__mpi_message){.number = number, .values = (char *)values, .count = count});
    pthread_mutex_unlock(&group->lock);
    return status;
}

static glnn_status begin_gather(void *user, int number, void *values, const size_t *begins)
{
    glnn_mpi *group = user;
    pthread_mutex_lock(&group->lock);
    const glnn_status status =
        begin(group, __func__,
              &(glnn__mpi_message){.number = number, .values = values, .begins = begins});
    pthread_mutex_unlock(&group->lock);
    return status;
}

static glnn_status end_message(void *user, int number)
{
    glnn_mpi *group = user;
    pthread_mutex_lock(&group->lock);
    const glnn_status status = end(group, "end", number);
    pthread_mutex_unlock(&group->lock);
    return status;
}

static glnn_status is_done(void *user, int number, bool *done)
{
    glnn_mpi *group = user;
    pthread_mutex_lock(&group->lock);
    const glnn__mpi_message *message = *find(group, number);
    glnn_status status = state_of(group);
    if (!status && !message)
        status = refuse(group, __func__, number, "is not under way");
    if (!status)
        *done = message->is_done;
    pthread_mutex_unlock(&group->lock);
    return status;
}

/* The places of equal shares: rank r has `bytes` bytes from r * bytes on. */
static glnn_status gather_shares(glnn_mpi *group, void *all, size_t bytes)
{
    size_t *begins = malloc(((size_t)group->ranks + 1) * sizeof *begins);
    if (!begins) {
        refuse(group, "gather", NUMBER_OF_GATHER, "does not fit into main memory");
        return GLNN_E_NOMEM;
    }
    for (int r = 0; r <= group->ranks; ++r)
        begins[r] = (size_t)r * bytes;
    glnn_status status =
        begin(group, "gather",
              &(glnn__mpi_message){.number = NUMBER_OF_GATHER, .values = all, .begins = begins});
    free(begins);
    if (!status)
        status = end(group, "gather", NUMBER_OF_GATHER);
    return status;
}

static glnn_status gather(void *user, const void *own, size_t bytes, void *all)
{
    glnn_mpi *group = user;
    if (bytes)
        memmove((char *)all + (size_t)group->rank * bytes, own, bytes);
    pthread_mutex_lock(&group->lock);
    const glnn_status status = gather_shares(group, all, bytes);
    pthread_mutex_unlock(&group->lock);
    return status;
}

/* Returns when the others have been told, or after two seconds. */
static void fail(void *user, const char *sentence)
{
    glnn_mpi *group = user;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 2;
    pthread_mutex_lock(&group->lock);
    if (!group->failed && !group->fails) {
        snprintf(group->failure.text, sizeof group->failure.text, "rank %d on %s failed: %s",
                 group->rank, group->hosts[group->rank], sentence);
        group->fails = true;
        pthread_cond_signal(&group->wake);
    }
    while (!group->failed && pthread_cond_timedwait(&group->news, &group->lock, &until) == 0)
        continue;
    group->error = group->failure;
    pthread_mutex_unlock(&group->lock);
}

static void set_busy(void *user, bool is_busy)
{
    glnn_mpi *group = user;
    pthread_mutex_lock(&group->lock);
    group->is_busy = is_busy;
    group->busy_at = glnn__mpi_now();
    pthread_mutex_unlock(&group->lock);
}

static const char *get_error(void *user)
{
    const glnn_mpi *group = user;
    return group->error.text;
}

/* ---- Memory */

static glnn_status allocate(void *user, size_t bytes, void **out)
{
    glnn_mpi *group = user;
    if (group->memory)
        *out = glnn__mpi_memory_allocate(group->memory, bytes);
    else if (posix_memalign(out, ALIGNMENT, bytes ? bytes : 1) != 0)
        *out = NULL;
    if (*out)
        return GLNN_OK;
    pthread_mutex_lock(&group->lock);
    snprintf(group->error.text, sizeof group->error.text,
             "rank %d on %s has no memory for a message of %zu bytes", group->rank,
             group->hosts[group->rank], bytes);
    pthread_mutex_unlock(&group->lock);
    return GLNN_E_NOMEM;
}

static void release(void *user, void *memory)
{
    glnn_mpi *group = user;
    if (group->memory)
        glnn__mpi_memory_release(group->memory, memory);
    else
        free(memory);
}

void glnn__mpi_connect(glnn_mpi *group)
{
    group->messenger = (glnn_messenger){.size = sizeof group->messenger,
                                        .rank = group->rank,
                                        .ranks = group->ranks,
                                        .host_ranks = group->host_ranks,
                                        .user = group,
                                        .gather = gather,
                                        .begin_sum = begin_sum,
                                        .begin_gather = begin_gather,
                                        .is_done = is_done,
                                        .end = end_message,
                                        .fail = fail,
                                        .get_error = get_error,
                                        .allocate = allocate,
                                        .release = release,
                                        .set_busy = set_busy};
}
