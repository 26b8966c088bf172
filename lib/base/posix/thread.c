#include "base/thread.h"

#include <signal.h>
#include <time.h>

void glnn__mutex_create(glnn__mutex *mutex)
{
    pthread_mutex_init(mutex, NULL);
}

void glnn__mutex_destroy(glnn__mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

void glnn__mutex_lock(glnn__mutex *mutex)
{
    pthread_mutex_lock(mutex);
}

void glnn__mutex_unlock(glnn__mutex *mutex)
{
    pthread_mutex_unlock(mutex);
}

/* Its time limits are of the same clock as glnn__clock_seconds. */
void glnn__condition_create(glnn__condition *condition)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &clock);
    pthread_condattr_destroy(&clock);
}

void glnn__condition_destroy(glnn__condition *condition)
{
    pthread_cond_destroy(condition);
}

void glnn__condition_signal(glnn__condition *condition)
{
    pthread_cond_signal(condition);
}

void glnn__condition_broadcast(glnn__condition *condition)
{
    pthread_cond_broadcast(condition);
}

void glnn__condition_wait(glnn__condition *condition, glnn__mutex *mutex)
{
    pthread_cond_wait(condition, mutex);
}

bool glnn__condition_wait_until(glnn__condition *condition, glnn__mutex *mutex, double end)
{
    const time_t second = (time_t)end;
    const struct timespec limit = {second, (long)((end - (double)second) * 1e9)};
    return pthread_cond_timedwait(condition, mutex, &limit) == 0;
}

bool glnn__thread_start(glnn__thread *thread, void *(*run)(void *argument), void *argument)
{
    sigset_t all, former;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    const bool is_started = pthread_create(thread, NULL, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    return is_started;
}

void glnn__thread_join(glnn__thread thread)
{
    pthread_join(thread, NULL);
}
