#include "dist/courier.h"

#include "base/clock.h"
#include "base/cores.h"
#include "base/thread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Numbers of messages of programs; `gather` has one of its own. */
enum { NUMBERS = 2048, NUMBER_OF_GATHER = NUMBERS };

/* Seconds that threads poll before they sleep, if there are cores for both of them. Waking a thread
 * takes longer than a small sum. */
static const double polls_for = 50e-6;

/* Its sleep when there is no message. */
static const double idle_sleep = 5e-3;

/* The program waits for the thread so many quarters of the time limit without a turn of it. A stop
 * of the whole process is one wait, however long it was. */
enum { MOST_QUARTERS = 8 };

typedef struct message {
    glnn__mpi_message what;
    struct message *next; /* that was begun after it, unless that has arrived */
    size_t *begins;       /* room for those of a gathering; NULL: not needed yet */
    bool is_under_way, is_done;
} message;

/* Members of the first part do not change. Those of the second part need the lock. */
struct glnn__mpi_courier {
    glnn_messenger messenger;
    glnn__mpi_carrier *carrier;
    const glnn__mpi_members *members;
    glnn__mpi_watch *watch;
    double limit;         /* seconds */
    bool has_spare_cores; /* one for each of the two threads: they may poll for a while */
    glnn__thread thread;
    _Atomic uint64_t arrivals; /* messages, and the failure; without the lock */

    glnn__mutex lock;
    glnn__condition wake; /* the thread: there is work */
    glnn__condition news; /* the program: a message has arrived, or the group has failed */
    message messages[NUMBERS + 1];
    size_t *shares;        /* room for the places of a gathering of equal shares */
    message *first, *last; /* that have not arrived, in their order */
    bool leaves, has_ended, is_stuck;
    double failed_at; /* seconds; 0: the group has not failed */
    char error[1024]; /* for get_error */
};

/* ---- Functions of the messenger */

/* The two functions that follow need the lock. */
static glnn_status refuse(glnn__mpi_courier *courier, const char *function, int number,
                          const char *why)
{
    snprintf(courier->error, sizeof courier->error, "%s: message %d %s", function, number, why);
    return GLNN_E_STATE;
}

/* The status of a function that needs a message to be under way, or not to be. */
static glnn_status check(glnn__mpi_courier *courier, const char *function, int number,
                         bool is_under_way)
{
    if (courier->failed_at > 0) {
        /* In shared memory, which may have lost the end of the sentence. */
        snprintf(courier->error, sizeof courier->error, "%.*s", (int)sizeof courier->error - 1,
                 glnn__mpi_watch_noticed(courier->watch));
        return GLNN_E_PROCESS;
    }
    if (number < 0 || number > NUMBERS)
        return refuse(courier, function, number, "has no number from 0 to 2047");
    if (courier->messages[number].is_under_way == is_under_way)
        return GLNN_OK;
    return refuse(courier, function, number,
                  is_under_way ? "is not under way" : "is already under way");
}

/* `what` has the members that describe the message. */
static glnn_status begin(glnn__mpi_courier *courier, const char *function, int number,
                         const glnn__mpi_message *what)
{
    const size_t places = (size_t)courier->members->ranks + 1;
    glnn__mutex_lock(&courier->lock);
    glnn_status status = check(courier, function, number, false);
    message *next = status ? NULL : &courier->messages[number];
    if (next && what->begins && !next->begins)
        next->begins = malloc(places * sizeof *next->begins);
    if (next && what->begins && !next->begins) {
        refuse(courier, function, number, "does not fit into main memory");
        status = GLNN_E_NOMEM;
    }
    if (!status) {
        *next = (message){.what = *what, .begins = next->begins, .is_under_way = true};
        if (what->begins)
            next->what.begins = memcpy(next->begins, what->begins, places * sizeof *next->begins);
        *(courier->first ? &courier->last->next : &courier->first) = next;
        courier->last = next;
        glnn__condition_signal(&courier->wake);
    }
    glnn__mutex_unlock(&courier->lock);
    return status;
}

/* Gives the lock back meanwhile, because the thread needs it. */
static void poll_for(glnn__mpi_courier *courier, const message *awaited)
{
    const double end = glnn__clock_seconds() + polls_for;
    while (!awaited->is_done && courier->failed_at == 0 && glnn__clock_seconds() < end) {
        const uint64_t seen = courier->arrivals;
        glnn__mutex_unlock(&courier->lock);
        while (courier->arrivals == seen && glnn__clock_seconds() < end)
            continue;
        glnn__mutex_lock(&courier->lock);
    }
}

static void set_failed(glnn__mpi_courier *courier)
{
    courier->failed_at = glnn__clock_seconds();
    ++courier->arrivals;
    glnn__condition_broadcast(&courier->news);
}

/* Waits for news of the thread, with the lock. A function of MPI may never return when another
 * process of the host was killed while it wrote to a queue in shared memory. */
static void await_news(glnn__mpi_courier *courier)
{
    const glnn__mpi_members *members = courier->members;
    const glnn__mpi_life *own = &courier->carrier->window->lives[members->rank];
    for (int quarters = 0; quarters < MOST_QUARTERS; ++quarters) {
        const double seen = atomic_load(&own->seen);
        const double until = glnn__clock_seconds() + courier->limit / 4;
        if (glnn__condition_wait_until(&courier->news, &courier->lock, until) ||
            atomic_load(&own->seen) > seen)
            return;
    }
    glnn__mpi_notice(courier->watch,
                     "a function of MPI has not returned to rank %d on %s for %g s: twice "
                     "glnn_mpi_desc.seconds; another process may have been killed while it sent",
                     members->rank, members->hosts[members->rank], 2 * courier->limit);
    courier->is_stuck = true;
    set_failed(courier);
}

static glnn_status end(void *user, int number)
{
    glnn__mpi_courier *courier = user;
    glnn__mutex_lock(&courier->lock);
    glnn_status status = check(courier, __func__, number, true);
    if (!status) {
        message *awaited = &courier->messages[number];
        glnn__mpi_watch_program(courier->watch, true);
        if (courier->has_spare_cores)
            poll_for(courier, awaited);
        while (!awaited->is_done && courier->failed_at == 0)
            await_news(courier);
        glnn__mpi_watch_program(courier->watch, false);
        status = check(courier, __func__, number, true);
        awaited->is_under_way = false;
    }
    glnn__mutex_unlock(&courier->lock);
    return status;
}

static glnn_status begin_sum(void *user, int number, float *values, size_t count)
{
    return begin(user, __func__, number,
                 &(glnn__mpi_message){.values = (char *)values, .count = count});
}

static glnn_status begin_gather(void *user, int number, void *values, const size_t *begins)
{
    return begin(user, __func__, number, &(glnn__mpi_message){.values = values, .begins = begins});
}

static glnn_status is_done(void *user, int number, bool *done)
{
    glnn__mpi_courier *courier = user;
    glnn__mutex_lock(&courier->lock);
    const glnn_status status = check(courier, __func__, number, true);
    if (!status)
        *done = courier->messages[number].is_done;
    glnn__mutex_unlock(&courier->lock);
    return status;
}

/* Rank r has `bytes` bytes from r * bytes on. */
static glnn_status gather(void *user, const void *own, size_t bytes, void *all)
{
    glnn__mpi_courier *courier = user;
    if (bytes)
        memmove((char *)all + (size_t)courier->members->rank * bytes, own, bytes);
    for (int r = 0; r <= courier->members->ranks; ++r)
        courier->shares[r] = (size_t)r * bytes;
    const glnn_status status =
        begin(courier, __func__, NUMBER_OF_GATHER,
              &(glnn__mpi_message){.values = all, .begins = courier->shares});
    return status ? status : end(courier, NUMBER_OF_GATHER);
}

/* Returns when the others have been told, or after two seconds. */
static void fail(void *user, const char *why)
{
    glnn__mpi_courier *courier = user;
    const glnn__mpi_members *members = courier->members;
    const double until = glnn__clock_seconds() + 2;
    glnn__mpi_notice(courier->watch, "rank %d on %s failed: %s", members->rank,
                     members->hosts[members->rank], why);
    glnn__mutex_lock(&courier->lock);
    glnn__condition_signal(&courier->wake);
    while (courier->failed_at == 0 &&
           glnn__condition_wait_until(&courier->news, &courier->lock, until))
        continue;
    check(courier, __func__, 0, false);
    glnn__mutex_unlock(&courier->lock);
}

static const char *get_error(void *user)
{
    const glnn__mpi_courier *courier = user;
    return courier->error;
}

static glnn_status allocate(void *user, size_t bytes, void **out)
{
    glnn__mpi_courier *courier = user;
    const glnn__mpi_members *members = courier->members;
    *out = glnn__mpi_window_allocate(courier->carrier->window, bytes);
    if (*out)
        return GLNN_OK;
    glnn__mutex_lock(&courier->lock);
    snprintf(courier->error, sizeof courier->error,
             "rank %d on %s has no memory for a message of %zu bytes", members->rank,
             members->hosts[members->rank], bytes);
    glnn__mutex_unlock(&courier->lock);
    return GLNN_E_NOMEM;
}

static void release(void *user, void *memory)
{
    glnn__mpi_courier *courier = user;
    glnn__mpi_window_release(courier->carrier->window, memory);
}

static void set_busy(void *user, bool is_busy)
{
    glnn__mpi_courier *courier = user;
    glnn__mpi_life *own = &courier->carrier->window->lives[courier->members->rank];
    atomic_store(&own->worked, is_busy ? (double)INFINITY : glnn__clock_seconds());
}

/* ---- The thread */

/* Sleeps until there is a message, or the program leaves, or for a while. Returns the message. */
static message *await_message(glnn__mpi_courier *courier, double idle_since, bool *leaves)
{
    const bool polls = courier->has_spare_cores && glnn__clock_seconds() - idle_since < polls_for;
    const double until = glnn__clock_seconds() + idle_sleep;
    glnn__mutex_lock(&courier->lock);
    if (!courier->first && !courier->leaves && !polls)
        glnn__condition_wait_until(&courier->wake, &courier->lock, until);
    message *next = courier->first;
    *leaves = courier->leaves;
    glnn__mutex_unlock(&courier->lock);
    return next;
}

static void finish(glnn__mpi_courier *courier, message *arrived)
{
    glnn__mutex_lock(&courier->lock);
    arrived->is_done = true;
    courier->first = arrived->next;
    ++courier->arrivals;
    glnn__condition_broadcast(&courier->news);
    glnn__mutex_unlock(&courier->lock);
}

/* Programs may free the memory of their messages when they learn of the failure. From then on the
 * thread does not call MPI, which would still access the memory if an operation has not ended. */
static void give_up(glnn__mpi_courier *courier)
{
    glnn__mpi_watch_tell(courier->watch);
    glnn__mutex_lock(&courier->lock);
    set_failed(courier);
    glnn__mutex_unlock(&courier->lock);
}

/* Messages that were begun and not ended are carried before the end. */
static void *carry_all(void *argument)
{
    glnn__mpi_courier *courier = argument;
    double idle_since = glnn__clock_seconds();
    bool leaves = false, has_message = true;
    glnn__cores_unbind();
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
#endif
    while ((has_message || !leaves) && !glnn__mpi_watch_noticed(courier->watch)) {
        message *next = await_message(courier, idle_since, &leaves);
        has_message = next;
        glnn__mpi_watch_turn(courier->watch);
        if (next && glnn__mpi_carry(courier->carrier, &next->what)) {
            finish(courier, next);
            idle_since = glnn__clock_seconds();
        }
    }
    glnn__mpi_leave(courier->watch);
    if (glnn__mpi_watch_noticed(courier->watch))
        give_up(courier);
    glnn__mutex_lock(&courier->lock);
    courier->has_ended = true;
    glnn__condition_broadcast(&courier->news);
    glnn__mutex_unlock(&courier->lock);
    return NULL;
}

/* ---- Begin and end */

glnn__mpi_courier *glnn__mpi_courier_create(glnn__mpi_carrier *carrier, double limit)
{
    const glnn__mpi_members *members = carrier->members;
    glnn__mpi_courier *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->messenger = (glnn_messenger){.size = sizeof made->messenger,
                                       .rank = members->rank,
                                       .ranks = members->ranks,
                                       .host_ranks = members->host_ranks,
                                       .user = made,
                                       .gather = gather,
                                       .begin_sum = begin_sum,
                                       .begin_gather = begin_gather,
                                       .is_done = is_done,
                                       .end = end,
                                       .fail = fail,
                                       .get_error = get_error,
                                       .allocate = allocate,
                                       .release = release,
                                       .set_busy = set_busy};
    made->carrier = carrier;
    made->members = members;
    made->watch = carrier->watch;
    made->limit = limit;
    made->has_spare_cores = glnn__cores_count() >= 2 * members->host_ranks;
    glnn__mutex_create(&made->lock);
    glnn__condition_create(&made->wake);
    glnn__condition_create(&made->news);
    made->shares = calloc((size_t)members->ranks + 1, sizeof *made->shares);
    if (made->shares && glnn__thread_start(&made->thread, carry_all, made))
        return made;
    glnn__mpi_courier_destroy(made);
    return NULL;
}

const glnn_messenger *glnn__mpi_courier_get_messenger(const glnn__mpi_courier *courier)
{
    return &courier->messenger;
}

double glnn__mpi_courier_leave(glnn__mpi_courier *courier)
{
    glnn__mutex_lock(&courier->lock);
    courier->leaves = true;
    glnn__mpi_watch_program(courier->watch, true);
    glnn__condition_signal(&courier->wake);
    while (!courier->has_ended && !courier->is_stuck)
        await_news(courier);
    glnn__mutex_unlock(&courier->lock);
    if (!courier->is_stuck)
        glnn__thread_join(courier->thread);
    return courier->failed_at;
}

bool glnn__mpi_courier_is_stuck(const glnn__mpi_courier *courier)
{
    return courier->is_stuck;
}

void glnn__mpi_courier_destroy(glnn__mpi_courier *courier)
{
    for (int i = 0; i <= NUMBERS; ++i)
        free(courier->messages[i].begins);
    free(courier->shares);
    glnn__condition_destroy(&courier->news);
    glnn__condition_destroy(&courier->wake);
    glnn__mutex_destroy(&courier->lock);
    free(courier);
}
