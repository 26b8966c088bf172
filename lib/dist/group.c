#include "base/cores.h"
#include "base/pool.h"
#include "dist/bucket.h"
#include "dist/control.h"
#include "dist/drive.h"
#include "dist/host.h"
#include "dist/life.h"
#include "dist/messenger.h"
#include "dist/support.h"

#include <stdlib.h>
#include <string.h>

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
    for (int r = 0; r < group->ranks; ++r) {
        const terms *other = &all[r];
        if (memcmp(own->version, other->version, sizeof own->version) != 0)
            return glnn__mpi_fail(GLNN_E_ARG,
                                  "glnn_mpi_create: rank %d on %s has version %g.%g.%g of the "
                                  "library, but rank %d has %g.%g.%g",
                                  r, group->hosts[r], other->version[0], other->version[1],
                                  other->version[2], group->rank, own->version[0], own->version[1],
                                  own->version[2]);
        if (memcmp(own, other, sizeof *own) != 0)
            return glnn__mpi_fail(GLNN_E_ARG,
                                  "glnn_mpi_create: rank %d on %s has algorithm %s, buckets of %g "
                                  "numbers, a limit of "
                                  "%g s and %s, but rank %d has %s, %g numbers, %g s and %s",
                                  r, group->hosts[r],
                                  glnn_mpi_algorithm_name((glnn_mpi_algorithm)other->algorithm),
                                  other->bucket, other->seconds, way_of(other), group->rank,
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
    terms *all = calloc((size_t)group->ranks, sizeof *all);
    if (!all)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
    MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, all, (int)sizeof own, MPI_BYTE, group->control);
    const glnn_status status = compare_terms(group, &own, all);
    free(all);
    return status;
}

/* ---- The processes */

static glnn_status find_hosts(glnn_mpi *group)
{
    MPI_Comm host;
    int length;
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    group->hosts = calloc((size_t)group->ranks, sizeof *group->hosts);
    if (!group->hosts)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory");
    MPI_Get_processor_name(own, &length);
    MPI_Allgather(own, (int)sizeof own, MPI_CHAR, group->hosts, (int)sizeof own, MPI_CHAR,
                  group->control);
    MPI_Comm_split_type(group->control, MPI_COMM_TYPE_SHARED, group->rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &group->host_rank);
    MPI_Comm_size(host, &group->host_ranks);
    MPI_Comm_free(&host);
    return GLNN_OK;
}

static glnn_status join_processes(glnn_mpi *group)
{
    group->data = group->control = MPI_COMM_NULL;
    for (int i = 0; i < GLNN__MPI_WINDOW; ++i)
        group->between[i] = MPI_COMM_NULL;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &group->data) != MPI_SUCCESS ||
        MPI_Comm_dup(MPI_COMM_WORLD, &group->control) != MPI_SUCCESS)
        return glnn__mpi_fail(GLNN_E_PROCESS, "glnn_mpi_create: MPI_Comm_dup failed");
    MPI_Comm_rank(group->control, &group->rank);
    MPI_Comm_size(group->control, &group->ranks);
    glnn_status status = find_hosts(group);
    if (!status)
        status = agree(group);
    return status ? status : glnn__mpi_host_join(group);
}

/* ---- Creation */

static glnn_status create_memory(glnn_mpi *group)
{
    glnn_status status = GLNN_OK;
    for (int i = 0; i < GLNN__MPI_WINDOW && !status; ++i)
        status = glnn__mpi_bucket_create(&group->buckets[i], group->ranks);
    if (!status)
        status = glnn__mpi_watch_create(group);
    group->pool = glnn__pool_create_share(group->host_ranks);
    group->has_spare_cores = glnn__cores_count() >= 2 * group->host_ranks;
    if (status || !group->pool)
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: no memory, or no thread");
    return GLNN_OK;
}

static void create_lock(glnn_mpi *group)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&group->lock, NULL);
    pthread_cond_init(&group->wake, &clock);
    pthread_cond_init(&group->news, &clock);
    pthread_condattr_destroy(&clock);
}

static void free_messages(glnn__mpi_message *message)
{
    while (message) {
        glnn__mpi_message *next = message->next;
        free(message->room);
        free(message);
        message = next;
    }
}

/* After a failure, MPI may still use the memory of operations that are under way, so it stays. */
static void release(glnn_mpi *group)
{
    glnn__pool_destroy(group->pool);
    glnn__mpi_host_leave(group);
    free_messages(group->under_way);
    free_messages(group->unused);
    pthread_cond_destroy(&group->news);
    pthread_cond_destroy(&group->wake);
    pthread_mutex_destroy(&group->lock);
    if (!group->failed) {
        for (int i = 0; i < GLNN__MPI_WINDOW; ++i)
            glnn__mpi_bucket_destroy(&group->buckets[i]);
        glnn__mpi_watch_destroy(group);
        if (group->data != MPI_COMM_NULL)
            MPI_Comm_free(&group->data);
        if (group->control != MPI_COMM_NULL)
            MPI_Comm_free(&group->control);
    }
    free(group->hosts);
    free(group);
}

/* From here on, errors of MPI come back as codes instead of ending the process. */
static glnn_status start(glnn_mpi *group)
{
    glnn_status status = create_memory(group);
    if (status)
        return status;
    MPI_Comm_set_errhandler(group->data, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(group->control, MPI_ERRORS_RETURN);
    glnn__mpi_connect(group);
    if (pthread_create(&group->thread, NULL, glnn__mpi_drive, group) != 0) {
        glnn__mpi_watch_end(group);
        return glnn__mpi_fail(GLNN_E_NOMEM, "glnn_mpi_create: a thread cannot be created");
    }
    glnn__mpi_life_add(group);
    return GLNN_OK;
}

glnn_status glnn_mpi_create(const glnn_mpi_desc *desc, glnn_mpi **out)
{
    glnn_mpi_desc with;
    if (!out)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `out` is null", __func__);
    *out = NULL;
    glnn_status status = complete(desc, &with);
    if (!status)
        status = glnn__mpi_life_begin();
    if (status)
        return status;
    glnn_mpi *group = calloc(1, sizeof *group);
    if (!group)
        return glnn__mpi_fail(GLNN_E_NOMEM, "%s: no memory", __func__);
    group->desc = with;
    create_lock(group);
    status = join_processes(group);
    if (!status)
        status = start(group);
    if (status) {
        release(group);
        return status;
    }
    *out = group;
    return GLNN_OK;
}

/* Messages that were begun and not ended are waited for. */
void glnn_mpi_destroy(glnn_mpi *mpi)
{
    if (!mpi)
        return;
    pthread_mutex_lock(&mpi->lock);
    mpi->leaves = true;
    mpi->waits_since = mpi->under_way ? glnn__mpi_now() : 0;
    pthread_cond_signal(&mpi->wake);
    pthread_mutex_unlock(&mpi->lock);
    pthread_join(mpi->thread, NULL);
    glnn__mpi_life_remove(mpi);
    release(mpi);
}

/* ---- Questions */

const glnn_messenger *glnn_mpi_get_messenger(const glnn_mpi *mpi)
{
    return mpi ? &mpi->messenger : NULL;
}

int glnn_mpi_get_rank(const glnn_mpi *mpi)
{
    return mpi ? mpi->rank : 0;
}

int glnn_mpi_get_ranks(const glnn_mpi *mpi)
{
    return mpi ? mpi->ranks : 0;
}

int glnn_mpi_get_host_rank(const glnn_mpi *mpi)
{
    return mpi ? mpi->host_rank : 0;
}

int glnn_mpi_get_host_ranks(const glnn_mpi *mpi)
{
    return mpi ? mpi->host_ranks : 0;
}
