#define _GNU_SOURCE
#include "base/clock.h"
#include "base/thread.h"
#include "dist/courier.h"

#include <glnn/context.h>

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct glnn_mpi {
    glnn_mpi_desc desc; /* without zeros */
    glnn__mpi_members members;
    glnn__mpi_window window;
    glnn__mpi_watch *watch;
    glnn__pool *pool;
    glnn__mpi_carrier carrier;
    glnn__mpi_courier *courier;
    struct glnn_mpi *next; /* in the list of groups */
    glnn_status status;    /* of joining, with its sentence */
    char sentence[1024];
    bool is_stuck; /* a thread of the group does not come back from MPI */
};

/* ---- Names */

static const char *const names[GLNN_MPI_ALGORITHM_COUNT] = {
    [GLNN_MPI_ALGORITHM_AUTO] = "auto",
    [GLNN_MPI_ALGORITHM_ALLREDUCE] = "allreduce",
    [GLNN_MPI_ALGORITHM_TREE] = "tree",
};

const char *glnn_mpi_algorithm_name(glnn_mpi_algorithm algorithm)
{
    const int value = (int)algorithm;
    return value >= 0 && value < GLNN_MPI_ALGORITHM_COUNT ? names[value] : "unknown";
}

glnn_status glnn_mpi_algorithm_from_name(const char *name, glnn_mpi_algorithm *out)
{
    if (!name || !out)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `%s` is null", __func__, name ? "out" : "name");
    for (int i = 0; i < GLNN_MPI_ALGORITHM_COUNT; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = (glnn_mpi_algorithm)i;
            return GLNN_OK;
        }
    return glnn__mpi_fail(GLNN_E_ARG, "%s: '%s' is unknown; the names are auto, allreduce, tree",
                          __func__, name);
}

/* ---- The life of MPI, which begins with the first group and ends with the process */

/* Seconds that other processes have to print the sentence of a failure. */
static const double time_to_print = 1.0;

/* Seconds that MPI has to end all processes. */
enum { TIME_TO_ABORT = 3 };

static glnn__mutex lock = GLNN__MUTEX;
static struct {
    pid_t process; /* 0: MPI was not used */
    bool is_owner; /* of MPI */
    glnn_mpi *groups;
    double failed_at; /* 0: no group has failed */
} life;

/* MPI asks the launcher, and waits for ever if that does not answer. So an alarm ends the process.
 * A thread cannot: with one that was begun so late, the launcher of Open MPI 4.1 misses the call.
 */
static void end_all(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    alarm(TIME_TO_ABORT);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* A group that was not destroyed fails. MPI_Finalize would wait for processes that do not answer,
 * so after a failure all processes end, when they have had time to print its sentence. */
static void at_exit(void)
{
    int finalised = 0;
    if (life.process != getpid() || MPI_Finalized(&finalised) != MPI_SUCCESS || finalised)
        return;
    for (glnn_mpi *group = life.groups; group; group = group->next) {
        const glnn_messenger *messenger = glnn__mpi_courier_get_messenger(group->courier);
        messenger->fail(messenger->user, "it ended without glnn_mpi_destroy");
        life.failed_at = glnn__mpi_courier_leave(group->courier);
    }
    if (life.failed_at > 0) {
        while (glnn__clock_seconds() < life.failed_at + time_to_print)
            glnn__clock_sleep(10e-3);
        end_all();
    } else if (life.is_owner)
        MPI_Finalize();
}

static glnn_status initialise(void)
{
    int is_initialised = 0, is_finalised = 0, provided = MPI_THREAD_SINGLE;
    MPI_Finalized(&is_finalised);
    MPI_Initialized(&is_initialised);
    if (is_finalised)
        return glnn__mpi_fail(GLNN_E_STATE, "glnn_mpi_create: MPI was finalised");
    if (is_initialised)
        MPI_Query_thread(&provided);
    else if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
        return glnn__mpi_fail(GLNN_E_PROCESS, "glnn_mpi_create: MPI_Init_thread failed");
    if (!life.process && atexit(at_exit) != 0)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory for the end of MPI");
    life.process = getpid();
    life.is_owner |= !is_initialised;
    if (provided < MPI_THREAD_MULTIPLE)
        return glnn__mpi_fail(is_initialised ? GLNN_E_STATE : GLNN_E_UNSUPPORTED,
                              is_initialised
                                  ? "glnn_mpi_create: the program initialised MPI without "
                                    "MPI_THREAD_MULTIPLE; call MPI_Init_thread, not MPI_Init"
                                  : "glnn_mpi_create: the MPI library does not have "
                                    "MPI_THREAD_MULTIPLE");
    return GLNN_OK;
}

/* Adds a group to the list, or removes it. If it has failed, all processes of MPI end when this one
 * does. */
static void list(glnn_mpi *group, bool is_new, double failed_at)
{
    glnn__mutex_lock(&lock);
    glnn_mpi **at = &life.groups;
    while (*at && *at != group)
        at = &(*at)->next;
    *at = is_new ? group : group->next;
    life.failed_at = failed_at > 0 ? failed_at : life.failed_at;
    glnn__mutex_unlock(&lock);
}

/* ---- Description */

/* Shared memory is fastest with few meetings: each process adds SHARED_PART numbers of a bucket.
 * Messages are fastest while their buckets stay in the caches of a core: four times as many numbers
 * took Open MPI 4.1 twice as long. */
#define SHARED_PART     ((size_t)131072)
#define MESSAGE_BUCKET  ((size_t)65536)
#define GREATEST_BUCKET ((size_t)1 << 28)

static const double default_seconds = 8, least_seconds = 0.5;

static glnn_status complete(const glnn_mpi_desc *desc, glnn_mpi_desc *out)
{
    *out = desc ? *desc : (glnn_mpi_desc){0};
    for (size_t i = 0; i < sizeof out->reserved / sizeof *out->reserved; ++i)
        if (out->reserved[i] != 0)
            return glnn__mpi_fail(GLNN_E_ARG,
                                  "glnn_mpi_create: glnn_mpi_desc.reserved[%zu] is not 0: the "
                                  "description was not initialised, or has a member that this "
                                  "libglnn-mpi does not know",
                                  i);
    out->seconds = out->seconds == 0 ? default_seconds : out->seconds;
    if ((int)out->algorithm < 0 || out->algorithm >= GLNN_MPI_ALGORITHM_COUNT)
        return glnn__mpi_fail(GLNN_E_ARG, "glnn_mpi_create: %d is not a glnn_mpi_algorithm",
                              (int)out->algorithm);
    if (out->bucket > GREATEST_BUCKET)
        return glnn__mpi_fail(GLNN_E_ARG, "glnn_mpi_create: desc.bucket is %zu; at most %zu",
                              out->bucket, GREATEST_BUCKET);
    if (!(out->seconds >= least_seconds && out->seconds <= 1e6))
        return glnn__mpi_fail(GLNN_E_ARG,
                              "glnn_mpi_create: desc.seconds is %g; it has to be 0, or from %g to "
                              "1e6",
                              out->seconds, least_seconds);
    return GLNN_OK;
}

/* All processes have to agree in this text. */
typedef struct terms {
    char text[192];
} terms;

static glnn_status agree(const glnn_mpi *group)
{
    const glnn__mpi_members *members = &group->members;
    const glnn_mpi_desc *desc = &group->desc;
    glnn_status status = GLNN_OK;
    char bucket[24] = "default";
    terms own = {""}, *all = calloc((size_t)members->ranks, sizeof *all);
    if (!all)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
    if (desc->bucket)
        snprintf(bucket, sizeof bucket, "%zu", desc->bucket);
    snprintf(own.text, sizeof own.text,
             "version %d.%d.%d, algorithm %s, buckets of %s numbers, a limit of %g s and %s",
             GLNN_VERSION_MAJOR, GLNN_VERSION_MINOR, GLNN_VERSION_PATCH,
             glnn_mpi_algorithm_name(desc->algorithm), bucket, desc->seconds,
             desc->messages_only ? "messages only" : "shared memory");
    MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, members->all);
    for (int r = 0; r < members->ranks && !status; ++r) {
        all[r].text[sizeof all[r].text - 1] = '\0';
        if (strcmp(all[r].text, own.text) != 0)
            status = glnn__mpi_fail(GLNN_E_ARG,
                                    "glnn_mpi_create: rank %d on %s has %s, but rank %d has %s", r,
                                    members->hosts[r], all[r].text, members->rank, own.text);
    }
    free(all);
    return status;
}

/* ---- Creation */

/* Memory of a group that has failed stays, because MPI may still use that of operations that are
 * under way. */
static void release(glnn_mpi *group, bool has_failed)
{
    if (group->courier)
        glnn__mpi_courier_destroy(group->courier);
    if (!has_failed)
        glnn__mpi_carrier_destroy(&group->carrier);
    if (group->watch && !has_failed)
        glnn__mpi_watch_destroy(group->watch);
    glnn__pool_destroy(group->pool);
    glnn__mpi_window_destroy(&group->window, has_failed);
    glnn__mpi_members_leave(&group->members, has_failed);
    if (!has_failed)
        free(group);
}

static size_t bucket_of(const glnn_mpi_desc *desc, const glnn__mpi_members *members)
{
    const bool are_mates = members->mates == members->ranks;
    const size_t usual = are_mates ? (size_t)members->mates * SHARED_PART : MESSAGE_BUCKET;
    return desc->bucket ? desc->bucket : usual;
}

static glnn_status join(glnn_mpi *group)
{
    glnn__mpi_members *members = &group->members;
    glnn_status status = glnn__mpi_members_join(members, group->desc.messages_only);
    if (!status)
        status = agree(group);
    if (!status)
        status = glnn__mpi_window_create(
            members, glnn__mpi_carrier_needs(bucket_of(&group->desc, members)), &group->window);
    return status ? status : glnn__mpi_members_lead(members);
}

static void *join_apart(void *argument)
{
    glnn_mpi *group = argument;
    group->status = join(group);
    snprintf(group->sentence, sizeof group->sentence, "%s", group->status ? glnn_last_error() : "");
    return NULL;
}

/* Functions of MPI that all processes call wait for ever if one of them has died. So a thread calls
 * them, and after the time limit it is left where it is, with the group. */
static glnn_status join_in_time(glnn_mpi *group)
{
    const double limit = GLNN__MPI_PATIENCE * group->desc.seconds;
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)ceil(limit);
    if (pthread_create(&thread, NULL, join_apart, group) != 0)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: a thread cannot be created");
    if (pthread_timedjoin_np(thread, NULL, &until) == 0)
        return group->status ? glnn__mpi_fail(group->status, "%s", group->sentence) : GLNN_OK;
    pthread_detach(thread);
    group->is_stuck = true;
    return glnn__mpi_fail(GLNN_E_PROCESS,
                          "glnn_mpi_create: not all processes have called it for %g s: longer "
                          "than 10 times glnn_mpi_desc.seconds, %g s",
                          limit, group->desc.seconds);
}

static glnn_status start(glnn_mpi *group)
{
    const glnn__mpi_members *members = &group->members;
    group->desc.bucket = bucket_of(&group->desc, members);
    group->pool = glnn__pool_create_share(members->host_ranks);
    group->watch = glnn__mpi_watch_create(members, &group->window, group->desc.seconds);
    if (group->pool && group->watch &&
        glnn__mpi_carrier_create(members, &group->window, group->watch, group->pool, &group->desc,
                                 &group->carrier))
        group->courier = glnn__mpi_courier_create(&group->carrier, group->desc.seconds);
    if (!group->courier)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory, or no thread");
    list(group, true, 0);
    return GLNN_OK;
}

glnn_status glnn_mpi_create(const glnn_mpi_desc *desc, glnn_mpi **out)
{
    glnn_mpi_desc with;
    if (!out)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `out` is null", __func__);
    *out = NULL;
    glnn_status status = complete(desc, &with);
    if (status)
        return status;
    glnn__mutex_lock(&lock);
    status = initialise();
    glnn__mutex_unlock(&lock);
    if (status)
        return status;
    glnn_mpi *group = calloc(1, sizeof *group);
    if (!group)
        return glnn__mpi_fail(GLNN_E_NOMEM, "%s: no memory", __func__);
    group->desc = with;
    group->window.shared = MPI_WIN_NULL;
    status = join_in_time(group);
    const bool has_joined = !status;
    if (has_joined)
        status = start(group);
    /* The others may not know of an error of this process, so it must not wait for them. */
    if (status && (has_joined || group->is_stuck))
        list(group, false, glnn__clock_seconds());
    if (status && !group->is_stuck)
        release(group, has_joined);
    *out = status ? NULL : group;
    return status;
}

void glnn_mpi_destroy(glnn_mpi *mpi)
{
    if (!mpi)
        return;
    const double failed_at = glnn__mpi_courier_leave(mpi->courier);
    list(mpi, false, failed_at);
    mpi->is_stuck = glnn__mpi_courier_is_stuck(mpi->courier);
    if (!mpi->is_stuck)
        release(mpi, failed_at > 0);
}

/* ---- Questions */

const glnn_messenger *glnn_mpi_get_messenger(const glnn_mpi *mpi)
{
    return mpi ? glnn__mpi_courier_get_messenger(mpi->courier) : NULL;
}

int glnn_mpi_get_rank(const glnn_mpi *mpi)
{
    return mpi ? mpi->members.rank : 0;
}

int glnn_mpi_get_ranks(const glnn_mpi *mpi)
{
    return mpi ? mpi->members.ranks : 0;
}

int glnn_mpi_get_host_rank(const glnn_mpi *mpi)
{
    return mpi ? mpi->members.host_rank : 0;
}

int glnn_mpi_get_host_ranks(const glnn_mpi *mpi)
{
    return mpi ? mpi->members.host_ranks : 0;
}

/* ---- The device of a process */

glnn_status glnn_mpi_get_device(const glnn_mpi *mpi, int *device)
{
    enum { MOST = 256 };
    glnn_device devices[MOST] = {{.size = sizeof devices[0]}};
    int count = 0, hardware[MOST], found = 0, software = -1;
    if (!mpi || !device)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `%s` is null", __func__, mpi ? "device" : "mpi");
    const glnn_status status = glnn_device_list(devices, MOST, &count);
    for (int i = 0; i < count && i < MOST && !status; ++i) {
        if (devices[i].usable && !devices[i].software)
            hardware[found++] = devices[i].index;
        else if (devices[i].usable && software < 0)
            software = devices[i].index;
    }
    if (found)
        *device = hardware[mpi->members.host_rank % found];
    else if (software >= 0)
        *device = software;
    else if (!status)
        return glnn__mpi_fail(GLNN_E_UNSUPPORTED, "%s: none of %d EGL devices on %s is usable",
                              __func__, count, mpi->members.hosts[mpi->members.rank]);
    return status;
}
