#include "workers.h"

#include "support.h"

#include <pthread.h>
#include <semaphore.h>

typedef struct worker {
    bool is_there;
    pthread_t thread;
    sem_t begin, end;
    void (*run)(void *user); /* NULL: the thread ends */
    void *user;
    glnn_context *ctx;
} worker;

static worker workers[MOST_WORKERS];

static void *work(void *user)
{
    worker *self = user;
    for (sem_wait(&self->begin); self->run; sem_wait(&self->begin)) {
        self->run(self->user);
        sem_post(&self->end);
    }
    glnn_context_destroy(self->ctx);
    return NULL;
}

static pthread_t creator;

/* After an assertion that failed in a worker, the others may wait for it. */
static void end_all(void)
{
    if (!pthread_equal(pthread_self(), creator))
        return;
    for (int i = 0; i < MOST_WORKERS; ++i)
        if (workers[i].is_there) {
            workers[i].run = NULL;
            sem_post(&workers[i].begin);
            pthread_join(workers[i].thread, NULL);
        }
}

static void create(worker *new)
{
    static bool will_end;
    if (!will_end)
        assert_int_equal(atexit(end_all), 0);
    creator = pthread_self();
    will_end = new->is_there = true;
    sem_init(&new->begin, 0, 0);
    sem_init(&new->end, 0, 0);
    assert_int_equal(pthread_create(&new->thread, NULL, work, new), 0);
}

void worker_begin(int number, void (*run)(void *user), void *user)
{
    worker *w = &workers[number];
    if (!w->is_there)
        create(w);
    w->run = run;
    w->user = user;
    sem_post(&w->begin);
}

void worker_end(int number)
{
    sem_wait(&workers[number].end);
}

glnn_context *worker_context(int number)
{
    glnn_context **ctx = &workers[number].ctx;
    if (!*ctx)
        expect_ok(glnn_context_create(
            &(glnn_context_desc){.debug = true, .tuning = GLNN_TUNING_QUICK, .cache_dir = ""},
            ctx));
    return *ctx;
}
