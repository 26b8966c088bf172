#include "dist/adder.h"

#include "dist/cores.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_THREADS = 16 };

/* Waking the threads takes longer than the sum of fewer numbers. */
static const size_t worth_waking = 32768;

typedef struct sum {
    float *sum;
    const float *first, *second;
    size_t count;
} sum;

typedef struct worker {
    glnn__mpi_adder *adder;
    pthread_t thread;
    int place; /* from 1; the caller has 0 */
} worker;

struct glnn__mpi_adder {
    int threads;
    worker workers[MOST_THREADS];
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    sum now;
    unsigned long sums; /* given to the workers */
    int busy;           /* workers */
    bool ends;
};

static void add(const sum *of, size_t begin, size_t end)
{
    float *restrict to = of->sum;
    const float *restrict first = of->first;
    const float *restrict second = of->second;
    if (second)
        for (size_t i = begin; i < end; ++i)
            to[i] = (to[i] + first[i]) + second[i];
    else
        for (size_t i = begin; i < end; ++i)
            to[i] += first[i];
}

/* The part of thread `place`. Parts are whole cache lines. */
static void add_part(const sum *of, int place, int threads)
{
    const size_t lines = of->count / 16;
    const size_t begin = lines * (size_t)place / (size_t)threads * 16;
    const size_t end = lines * (size_t)(place + 1) / (size_t)threads * 16;
    add(of, begin, place + 1 < threads ? end : of->count);
}

static void *work(void *argument)
{
    const worker *self = argument;
    glnn__mpi_adder *adder = self->adder;
    unsigned long seen = 0;
    glnn__mpi_cores_unbind();
    pthread_mutex_lock(&adder->lock);
    for (;;) {
        while (adder->sums == seen && !adder->ends)
            pthread_cond_wait(&adder->wake, &adder->lock);
        if (adder->ends)
            break;
        seen = adder->sums;
        const sum now = adder->now;
        pthread_mutex_unlock(&adder->lock);
        add_part(&now, self->place, adder->threads);
        pthread_mutex_lock(&adder->lock);
        if (--adder->busy == 0)
            pthread_cond_signal(&adder->done);
    }
    pthread_mutex_unlock(&adder->lock);
    return NULL;
}

glnn__mpi_adder *glnn__mpi_adder_create(int threads)
{
    glnn__mpi_adder *adder = calloc(1, sizeof *adder);
    if (!adder)
        return NULL;
    pthread_mutex_init(&adder->lock, NULL);
    pthread_cond_init(&adder->wake, NULL);
    pthread_cond_init(&adder->done, NULL);
    const int wanted = threads < MOST_THREADS ? threads : MOST_THREADS;
    for (int i = adder->threads = 1; i < wanted; ++i) {
        adder->workers[i] = (worker){.adder = adder, .place = i};
        if (pthread_create(&adder->workers[i].thread, NULL, work, &adder->workers[i]) != 0) {
            glnn__mpi_adder_destroy(adder);
            return NULL;
        }
        adder->threads = i + 1;
    }
    return adder;
}

void glnn__mpi_adder_destroy(glnn__mpi_adder *adder)
{
    if (!adder)
        return;
    pthread_mutex_lock(&adder->lock);
    adder->ends = true;
    pthread_cond_broadcast(&adder->wake);
    pthread_mutex_unlock(&adder->lock);
    for (int i = 1; i < adder->threads; ++i)
        pthread_join(adder->workers[i].thread, NULL);
    pthread_cond_destroy(&adder->done);
    pthread_cond_destroy(&adder->wake);
    pthread_mutex_destroy(&adder->lock);
    free(adder);
}

void glnn__mpi_adder_add(glnn__mpi_adder *adder, float *to, const float *first, const float *second,
                         size_t count)
{
    const sum now = {to, first, second, count};
    if (adder->threads == 1 || count < worth_waking) {
        add(&now, 0, count);
        return;
    }
    pthread_mutex_lock(&adder->lock);
    adder->now = now;
    ++adder->sums;
    adder->busy = adder->threads - 1;
    pthread_cond_broadcast(&adder->wake);
    pthread_mutex_unlock(&adder->lock);
    add_part(&now, 0, adder->threads);
    pthread_mutex_lock(&adder->lock);
    while (adder->busy > 0)
        pthread_cond_wait(&adder->done, &adder->lock);
    pthread_mutex_unlock(&adder->lock);
}
