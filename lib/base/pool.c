#include "base/pool.h"

#include "base/cores.h"
#include "base/thread.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 16, UNIT = 64 };

/* Main memory is as fast as a few cores. */
enum { MOST_OF_SHARE = 4 };

/* Waking the threads takes longer than moving fewer bytes. */
static const size_t worth_waking = 393216;

typedef struct loop {
    glnn__pool_work run;
    const void *work;
    size_t count;
} loop;

typedef struct worker {
    glnn__pool *pool;
    glnn__thread thread;
    int place; /* from 1; the caller has 0 */
} worker;

struct glnn__pool {
    int threads;
    worker workers[MOST_THREADS];
    glnn__mutex lock;
    glnn__condition wake, done;
    loop now;
    unsigned long loops; /* given to the workers */
    int busy;            /* workers */
    bool ends;
};

/* The part of thread `place`. */
static void run_part(const loop *of, int place, int threads)
{
    const size_t units = of->count / UNIT;
    const size_t begin = units * (size_t)place / (size_t)threads * UNIT;
    const size_t end = units * (size_t)(place + 1) / (size_t)threads * UNIT;
    of->run(of->work, begin, place + 1 < threads ? end : of->count);
}

static void *wait_for_loops(void *argument)
{
    const worker *self = argument;
    glnn__pool *pool = self->pool;
    unsigned long seen = 0;
    glnn__cores_unbind();
    glnn__mutex_lock(&pool->lock);
    for (;;) {
        while (pool->loops == seen && !pool->ends)
            glnn__condition_wait(&pool->wake, &pool->lock);
        if (pool->ends)
            break;
        seen = pool->loops;
        const loop now = pool->now;
        glnn__mutex_unlock(&pool->lock);
        run_part(&now, self->place, pool->threads);
        glnn__mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            glnn__condition_signal(&pool->done);
    }
    glnn__mutex_unlock(&pool->lock);
    return NULL;
}

glnn__pool *glnn__pool_create(int threads)
{
    glnn__pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    glnn__mutex_create(&pool->lock);
    glnn__condition_create(&pool->wake);
    glnn__condition_create(&pool->done);
    const int wanted = threads < MOST_THREADS ? threads : MOST_THREADS;
    for (int i = pool->threads = 1; i < wanted; ++i) {
        pool->workers[i] = (worker){.pool = pool, .place = i};
        if (!glnn__thread_start(&pool->workers[i].thread, wait_for_loops, &pool->workers[i])) {
            glnn__pool_destroy(pool);
            return NULL;
        }
        pool->threads = i + 1;
    }
    return pool;
}

glnn__pool *glnn__pool_create_share(int processes)
{
    const int share = processes > 0 ? glnn__cores_count() / processes : 1;
    return glnn__pool_create(share < MOST_OF_SHARE ? share : MOST_OF_SHARE);
}

void glnn__pool_destroy(glnn__pool *pool)
{
    if (!pool)
        return;
    glnn__mutex_lock(&pool->lock);
    pool->ends = true;
    glnn__condition_broadcast(&pool->wake);
    glnn__mutex_unlock(&pool->lock);
    for (int i = 1; i < pool->threads; ++i)
        glnn__thread_join(pool->workers[i].thread);
    glnn__condition_destroy(&pool->done);
    glnn__condition_destroy(&pool->wake);
    glnn__mutex_destroy(&pool->lock);
    free(pool);
}

void glnn__pool_run(glnn__pool *pool, glnn__pool_work run, const void *work, size_t count,
                    size_t bytes)
{
    const loop now = {run, work, count};
    if (pool->threads == 1 || count < worth_waking / bytes) {
        run(work, 0, count);
        return;
    }
    glnn__mutex_lock(&pool->lock);
    pool->now = now;
    ++pool->loops;
    pool->busy = pool->threads - 1;
    glnn__condition_broadcast(&pool->wake);
    glnn__mutex_unlock(&pool->lock);
    run_part(&now, 0, pool->threads);
    glnn__mutex_lock(&pool->lock);
    while (pool->busy > 0)
        glnn__condition_wait(&pool->done, &pool->lock);
    glnn__mutex_unlock(&pool->lock);
}

typedef struct copy {
    char *to;
    const char *from;
} copy;

static void copy_part(const void *work, size_t begin, size_t end)
{
    const copy *of = work;
    memcpy(of->to + begin, of->from + begin, end - begin);
}

void glnn__pool_copy(glnn__pool *pool, void *to, const void *from, size_t bytes)
{
    const copy of = {to, from};
    if (bytes)
        glnn__pool_run(pool, copy_part, &of, bytes, 2);
}
