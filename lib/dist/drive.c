#include "dist/drive.h"

#include "base/cores.h"
#include "dist/bucket.h"
#include "dist/control.h"
#include "dist/notice.h"
#include "dist/operations.h"
#include "dist/support.h"

#include <sched.h>
#include <time.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Seconds without a complete bucket before the thread sleeps instead of yielding, its shortest and
 * longest sleep, and its sleep when no message is under way. Processes of a host may exchange a
 * bucket in small pieces, and a thread that sleeps between them would slow it down tenfold. */
static const double yields_for = 500e-6, shortest_sleep = 20e-6, longest_sleep = 200e-6,
                    idle_sleep = 5e-3;

static glnn__mpi_program look(glnn_mpi *group)
{
    pthread_mutex_lock(&group->lock);
    const glnn__mpi_program program = {.waits_since = group->waits_since,
                                       .idle_for =
                                           group->is_busy ? 0 : glnn__mpi_now() - group->busy_at,
                                       .begun = group->begun,
                                       .leaves = group->leaves};
    group->finished = group->begun;
    for (const glnn__mpi_message *at = group->under_way; at; at = at->next)
        group->finished -= !at->is_done;
    if (group->fails)
        glnn__mpi_notice(group, "%s", group->failure.text);
    pthread_mutex_unlock(&group->lock);
    return program;
}

/* The message of the next bucket, or NULL. */
static glnn__mpi_message *next_message(glnn_mpi *group)
{
    pthread_mutex_lock(&group->lock);
    glnn__mpi_message *message = group->waiting;
    if (message && message->started + 1 == message->buckets)
        group->waiting = message->next_waiting;
    pthread_mutex_unlock(&group->lock);
    return message;
}

static void finish(glnn_mpi *group, glnn__mpi_message *message)
{
    pthread_mutex_lock(&group->lock);
    message->is_done = true;
    ++group->arrivals;
    pthread_cond_broadcast(&group->news);
    pthread_mutex_unlock(&group->lock);
}

/* Begins buckets while the next one of the window is free. */
static void begin_buckets(glnn_mpi *group)
{
    for (;;) {
        glnn__mpi_bucket *bucket = &group->buckets[group->started % GLNN__MPI_WINDOW];
        glnn__mpi_message *message = glnn__mpi_bucket_is_free(bucket) ? next_message(group) : NULL;
        if (!message || group->watch.noticed.text[0])
            return;
        glnn__mpi_bucket_begin(group, bucket, message, group->started++);
    }
}

/* Begins buckets, and advances all. Returns whether anything moved. */
static bool move_buckets(glnn_mpi *group)
{
    bool moved = false;
    begin_buckets(group);
    for (int i = 0; i < GLNN__MPI_WINDOW; ++i) {
        glnn__mpi_bucket *bucket = &group->buckets[i];
        glnn__mpi_message *message = bucket->of;
        moved |= glnn__mpi_bucket_advance(group, bucket);
        if (message && !bucket->of && message->finished == message->buckets)
            finish(group, message);
    }
    return moved;
}

static bool is_idle(const glnn_mpi *group)
{
    for (int i = 0; i < GLNN__MPI_WINDOW; ++i)
        if (!glnn__mpi_bucket_is_free(&group->buckets[i]))
            return false;
    return true;
}

/* Sleeps until the program wakes the thread, or for a while. */
static void sleep_idle(glnn_mpi *group)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(idle_sleep * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&group->lock);
    if (!group->waiting && !group->fails && (!group->leaves || group->ranks > 1))
        pthread_cond_timedwait(&group->wake, &group->lock, &until);
    pthread_mutex_unlock(&group->lock);
}

static void pause_driving(glnn_mpi *group, double *seconds)
{
    const double since = glnn__mpi_now() - group->moved_at;
    if (is_idle(group)) {
        if (!group->has_spare_cores || since > GLNN__MPI_POLLS_FOR)
            sleep_idle(group);
    } else if (since < yields_for) {
        sched_yield();
        *seconds = shortest_sleep;
    } else {
        nanosleep(&(struct timespec){.tv_nsec = (long)(*seconds * 1e9)}, NULL);
        *seconds = *seconds * 2 < longest_sleep ? *seconds * 2 : longest_sleep;
    }
}

/* Waits at most a quarter of a second until no operation of MPI uses the memory of a message;
 * returns whether that is so. */
static bool stop_buckets(glnn_mpi *group)
{
    const double end = glnn__mpi_now() + 0.25;
    bool ended = false;
    for (int i = 0; i < GLNN__MPI_WINDOW; ++i)
        glnn__mpi_operations_cancel(&group->buckets[i]);
    while (!ended && glnn__mpi_now() < end) {
        ended = true;
        for (int i = 0; i < GLNN__MPI_WINDOW; ++i)
            ended &= glnn__mpi_operations_have_ended(&group->buckets[i]);
    }
    return ended;
}

/* Programs may free the memory of their messages when they learn of the failure. From then on the
 * thread does not call MPI, which would still access the memory if an operation has not ended. */
static void fail(glnn_mpi *group)
{
    glnn__mpi_watch_tell(group);
    stop_buckets(group);
    pthread_mutex_lock(&group->lock);
    group->failure = group->watch.noticed;
    group->failed_at = glnn__mpi_now();
    group->failed = true;
    ++group->arrivals;
    pthread_cond_broadcast(&group->news);
    pthread_mutex_unlock(&group->lock);
}

void *glnn__mpi_drive(void *argument)
{
    glnn_mpi *group = argument;
    double sleep = shortest_sleep;
    bool said = false;
    glnn__cores_unbind();
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
#endif
    while (!group->watch.noticed.text[0]) {
        const glnn__mpi_program program = look(group);
        if (program.leaves && !said)
            glnn__mpi_watch_leave(group, program.begun);
        said = program.leaves;
        glnn__mpi_watch_turn(group, &program);
        if (said && group->watch.left == group->ranks - 1 && is_idle(group))
            break;
        if (move_buckets(group))
            group->moved_at = glnn__mpi_now();
        else
            pause_driving(group, &sleep);
    }
    if (group->watch.noticed.text[0])
        fail(group);
    else
        glnn__mpi_watch_end(group);
    return NULL;
}
