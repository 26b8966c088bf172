#include "data/collector.h"

#include "base/integers.h"
#include "base/status.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* Few enough to leave the program its processors. Four already collect more than a bus to a GPU
 * carries. */
enum { MOST_THREADS = 4 };

typedef struct worker {
    glnn__collector *collector;
    pthread_t thread;
    unsigned char *room; /* for a piece that is read from a file */
} worker;

struct glnn__collector {
    const glnn__source *source;
    worker workers[MOST_THREADS];
    int count;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_int next; /* the first row that no thread has taken */

    /* Under the lock, or read by threads that run. */
    glnn__collection what;
    unsigned started; /* collections so far                     */
    int running;      /* threads that are not done with the last */
    bool quits;
    glnn__flaws flaws;
};

static void collect_pieces(const worker *own)
{
    glnn__collector *collector = own->collector;
    const glnn__collection *what = &collector->what;
    const int rows = glnn__collect_rows(collector->source);
    for (;;) {
        const int begin = atomic_fetch_add(&collector->next, rows);
        if (begin >= what->count)
            return;
        const int end = begin + glnn__least(rows, what->count - begin);
        const glnn__flaws found =
            glnn__collect_piece(collector->source, what, begin, end, own->room);
        pthread_mutex_lock(&collector->lock);
        glnn__flaws_add(&collector->flaws, &found);
        pthread_mutex_unlock(&collector->lock);
    }
}

static void *run_thread(void *argument)
{
    const worker *own = argument;
    glnn__collector *collector = own->collector;
    unsigned seen = 0;
    pthread_mutex_lock(&collector->lock);
    for (;;) {
        while (!collector->quits && collector->started == seen)
            pthread_cond_wait(&collector->wake, &collector->lock);
        if (collector->quits)
            break;
        seen = collector->started;
        pthread_mutex_unlock(&collector->lock);
        collect_pieces(own);
        pthread_mutex_lock(&collector->lock);
        if (--collector->running == 0)
            pthread_cond_signal(&collector->done);
    }
    pthread_mutex_unlock(&collector->lock);
    return NULL;
}

/* Returns false without memory or without a thread. */
static bool start_thread(glnn__collector *collector)
{
    worker *own = &collector->workers[collector->count];
    const size_t room = glnn__collect_room(collector->source);
    own->collector = collector;
    own->room = room > 0 ? malloc(room) : NULL;
    if (room > 0 && !own->room)
        return false;
    if (pthread_create(&own->thread, NULL, run_thread, own) == 0) {
        ++collector->count;
        return true;
    }
    free(own->room);
    return false;
}

/* Signals are for the program's own threads, except SIGBUS, which a thread raises by reading a
 * mapped file that has become shorter. */
static void start_threads(glnn__collector *collector)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted = processors > MOST_THREADS ? MOST_THREADS : (int)processors - 1;
    sigset_t all, former;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    while (start_thread(collector) && collector->count < wanted) {
    }
    pthread_sigmask(SIG_SETMASK, &former, NULL);
}

glnn_status glnn__collector_create(const glnn__source *source, glnn__collector **out)
{
    glnn__collector *collector = calloc(1, sizeof *collector);
    if (!collector)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for threads that collect samples",
                          source->name);
    collector->source = source;
    pthread_mutex_init(&collector->lock, NULL);
    pthread_cond_init(&collector->wake, NULL);
    pthread_cond_init(&collector->done, NULL);
    start_threads(collector);
    if (collector->count == 0) {
        glnn__collector_destroy(collector);
        return glnn__fail(GLNN_E_NOMEM, "%s: no thread that collects samples can be started",
                          source->name);
    }
    *out = collector;
    return GLNN_OK;
}

void glnn__collector_destroy(glnn__collector *collector)
{
    if (!collector)
        return;
    glnn__collector_cancel(collector);
    pthread_mutex_lock(&collector->lock);
    collector->quits = true;
    pthread_cond_broadcast(&collector->wake);
    pthread_mutex_unlock(&collector->lock);
    for (int i = 0; i < collector->count; ++i) {
        pthread_join(collector->workers[i].thread, NULL);
        free(collector->workers[i].room);
    }
    pthread_cond_destroy(&collector->done);
    pthread_cond_destroy(&collector->wake);
    pthread_mutex_destroy(&collector->lock);
    free(collector);
}

void glnn__collector_start(glnn__collector *collector, const glnn__collection *what)
{
    pthread_mutex_lock(&collector->lock);
    collector->what = *what;
    collector->flaws = (glnn__flaws){.row = INT_MAX};
    collector->running = collector->count;
    collector->started++;
    atomic_store(&collector->next, 0);
    pthread_cond_broadcast(&collector->wake);
    pthread_mutex_unlock(&collector->lock);
}

bool glnn__collector_is_sound(glnn__collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    const glnn__flaws *flaws = &collector->flaws;
    const bool is_sound = collector->running == 0 && !flaws->failure && flaws->row == INT_MAX;
    pthread_mutex_unlock(&collector->lock);
    return is_sound;
}

static void wait_for_threads(glnn__collector *collector)
{
    pthread_mutex_lock(&collector->lock);
    while (collector->running > 0)
        pthread_cond_wait(&collector->done, &collector->lock);
    pthread_mutex_unlock(&collector->lock);
}

glnn_status glnn__collector_finish(glnn__collector *collector)
{
    wait_for_threads(collector);
    return glnn__flaws_check(collector->source, &collector->what, &collector->flaws);
}

void glnn__collector_cancel(glnn__collector *collector)
{
    atomic_store(&collector->next, collector->what.count);
    wait_for_threads(collector);
}
