#include "dist/life.h"

#include "dist/state.h"
#include "dist/support.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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
        group->messenger.fail(group, "it ended without glnn_mpi_destroy");
        pthread_join(group->thread, NULL);
        life.failed_at = group->failed_at;
    }
}

/* MPI_Finalize would wait for processes that do not answer. */
static void end_all(void)
{
    const double rest = life.failed_at + time_to_print - glnn__mpi_now();
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

glnn_status glnn__mpi_life_begin(void)
{
    pthread_mutex_lock(&lock);
    const glnn_status status = initialise();
    pthread_mutex_unlock(&lock);
    return status;
}

void glnn__mpi_life_add(glnn_mpi *group)
{
    pthread_mutex_lock(&lock);
    group->next = life.groups;
    life.groups = group;
    pthread_mutex_unlock(&lock);
}

void glnn__mpi_life_remove(glnn_mpi *group)
{
    pthread_mutex_lock(&lock);
    glnn_mpi **at = &life.groups;
    while (*at && *at != group)
        at = &(*at)->next;
    if (*at)
        *at = group->next;
    if (group->failed)
        life.failed_at = group->failed_at;
    pthread_mutex_unlock(&lock);
}
