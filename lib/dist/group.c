#include "base/clock.h"
#include "dist/courier.h"
#include "dist/support.h"

#include <glnn/context.h>

#include <pthread.h>
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    pid_t process; /* 0: MPI was not used */
    bool is_owner; /* of MPI */
    glnn_mpi *groups;
    double failed_at; /* 0: no group has failed */
} life;

/* A group that was not destroyed fails, unless it already has. */
static void fail_groups(void)
{
    for (glnn_mpi *group = life.groups; group; group = group->next) {
        const glnn_messenger *messenger = glnn__mpi_courier_get_messenger(group->courier);
        messenger->fail(messenger->user, "it ended without glnn_mpi_destroy");
        life.failed_at = glnn__mpi_courier_leave(group->courier);
    }
}

/* MPI_Finalize would wait for processes that do not answer. */
static void end_all(void)
{
    const double rest = life.failed_at + time_to_print - glnn__clock_seconds();
    if (rest > 0)
        nanosleep(&(struct timespec){.tv_sec = (time_t)rest,
                                     .tv_nsec = (long)((rest - (double)(time_t)rest) * 1e9)},
                  NULL);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void at_exit(void)
{
    int finalised = 0;
    if (life.process != getpid() || MPI_Finalized(&finalised) != MPI_SUCCESS || finalised)
        return;
    fail_groups();
    if (life.failed_at > 0)
        end_all();
    else if (life.is_owner)
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

static void add_to_list(glnn_mpi *group)
{
    pthread_mutex_lock(&lock);
    group->next = life.groups;
    life.groups = group;
    pthread_mutex_unlock(&lock);
}

/* If the group has failed, all processes of MPI end when this one does. */
static void remove_from_list(glnn_mpi *group, double failed_at)
{
    pthread_mutex_lock(&lock);
    glnn_mpi **at = &life.groups;
    while (*at && *at != group)
        at = &(*at)->next;
    if (*at)
        *at = group->next;
    if (failed_at > 0)
        life.failed_at = failed_at;
    pthread_mutex_unlock(&lock);
}

/* ---- Description */

#define DEFAULT_BUCKET  ((size_t)262144)
#define GREATEST_BUCKET ((size_t)1 << 28)

static const double default_seconds = 8, least_seconds = 0.5;

/* ---- Description */

static glnn_status complete(const glnn_mpi_desc *desc, glnn_mpi_desc *out)
{
    *out = desc ? *desc : (glnn_mpi_desc){0};
    out->bucket = out->bucket ? out->bucket : DEFAULT_BUCKET;
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

/* The numbers in which all processes have to agree. */
typedef struct terms {
    double version[3], algorithm, bucket, seconds, messages_only;
} terms;

static const char *way_of(const terms *of)
{
    return of->messages_only != 0 ? "messages only" : "shared memory";
}

static glnn_status compare_terms(const glnn_mpi *group, const terms *own, const terms *all)
{
    for (int r = 0; r < group->members.ranks; ++r) {
        const terms *other = &all[r];
        if (memcmp(own->version, other->version, sizeof own->version) != 0)
            return glnn__mpi_fail(GLNN_E_ARG,
                                  "glnn_mpi_create: rank %d on %s has version %g.%g.%g of the "
                                  "library, but rank %d has %g.%g.%g",
                                  r, group->members.hosts[r], other->version[0], other->version[1],
                                  other->version[2], group->members.rank, own->version[0],
                                  own->version[1], own->version[2]);
        if (memcmp(own, other, sizeof *own) != 0)
            return glnn__mpi_fail(GLNN_E_ARG,
                                  "glnn_mpi_create: rank %d on %s has algorithm %s, buckets of %g "
                                  "numbers, a limit of "
                                  "%g s and %s, but rank %d has %s, %g numbers, %g s and %s",
                                  r, group->members.hosts[r],
                                  glnn_mpi_algorithm_name((glnn_mpi_algorithm)other->algorithm),
                                  other->bucket, other->seconds, way_of(other), group->members.rank,
                                  glnn_mpi_algorithm_name(group->desc.algorithm), own->bucket,
                                  own->seconds, way_of(own));
    }
    return GLNN_OK;
}

static glnn_status agree(const glnn_mpi *group)
{
    const glnn_mpi_desc *desc = &group->desc;
    const terms own = {{GLNN_VERSION_MAJOR, GLNN_VERSION_MINOR, GLNN_VERSION_PATCH},
                       (double)desc->algorithm,
                       (double)desc->bucket,
                       desc->seconds,
                       desc->messages_only};
    terms *all = calloc((size_t)group->members.ranks, sizeof *all);
    if (!all)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
    MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE,
                  group->members.control);
    const glnn_status status = compare_terms(group, &own, all);
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

static glnn_status join(glnn_mpi *group)
{
    glnn__mpi_members *members = &group->members;
    glnn_status status = glnn__mpi_members_join(members, group->desc.messages_only);
    if (!status)
        status = agree(group);
    if (!status)
        status =
            glnn__mpi_window_create(members, group->desc.bucket * sizeof(float), &group->window);
    return status ? status : glnn__mpi_members_lead(members);
}

static glnn_status start(glnn_mpi *group)
{
    const glnn__mpi_members *members = &group->members;
    group->pool = glnn__pool_create_share(members->host_ranks);
    group->watch = glnn__mpi_watch_create(members, &group->window, group->desc.seconds);
    if (group->pool && group->watch &&
        glnn__mpi_carrier_create(members, &group->window, group->watch, group->pool, &group->desc,
                                 &group->carrier))
        group->courier = glnn__mpi_courier_create(&group->carrier);
    if (!group->courier)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory, or no thread");
    add_to_list(group);
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
    pthread_mutex_lock(&lock);
    status = initialise();
    pthread_mutex_unlock(&lock);
    if (status)
        return status;
    glnn_mpi *group = calloc(1, sizeof *group);
    if (!group)
        return glnn__mpi_fail(GLNN_E_NOMEM, "%s: no memory", __func__);
    group->desc = with;
    group->window.shared = MPI_WIN_NULL;
    status = join(group);
    if (!status)
        status = start(group);
    if (status) {
        release(group, false);
        return status;
    }
    *out = group;
    return GLNN_OK;
}

void glnn_mpi_destroy(glnn_mpi *mpi)
{
    if (!mpi)
        return;
    const double failed_at = glnn__mpi_courier_leave(mpi->courier);
    remove_from_list(mpi, failed_at);
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

enum { MOST_DEVICES = 256 };

/* The number of the usable devices of a kind that come before device `end` in the list. */
static int count_devices(const glnn_device *devices, int end, bool software)
{
    int found = 0;
    for (int i = 0; i < end; ++i)
        found += devices[i].usable && devices[i].software == software;
    return found;
}

/* Device `place` of those of a kind. */
static int find_device(const glnn_device *devices, int count, bool software, int place)
{
    int i = 0;
    while (i < count && count_devices(devices, i + 1, software) <= place)
        ++i;
    return devices[i].index;
}

glnn_status glnn_mpi_get_device(const glnn_mpi *mpi, int *device)
{
    glnn_device devices[MOST_DEVICES] = {{.size = sizeof devices[0]}};
    int count = 0;
    if (!mpi || !device)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `%s` is null", __func__, mpi ? "device" : "mpi");
    const glnn_status status = glnn_device_list(devices, MOST_DEVICES, &count);
    if (status)
        return status;
    count = count < MOST_DEVICES ? count : MOST_DEVICES;
    const int hardware = count_devices(devices, count, false);
    if (hardware)
        *device = find_device(devices, count, false, mpi->members.host_rank % hardware);
    else if (count_devices(devices, count, true))
        *device = find_device(devices, count, true, 0);
    else
        return glnn__mpi_fail(GLNN_E_UNSUPPORTED, "%s: none of %d EGL devices on %s is usable",
                              __func__, count, mpi->members.hosts[mpi->members.rank]);
    return GLNN_OK;
}
