/* Threads, and the means by which they share data. The types are those of the system. */
#ifndef GLNN__BASE_THREAD_H
#define GLNN__BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

typedef pthread_t glnn__thread;
typedef pthread_mutex_t glnn__mutex;
typedef pthread_cond_t glnn__condition;

/* Creates a mutex that is a static variable and is never destroyed. */
#define GLNN__MUTEX PTHREAD_MUTEX_INITIALIZER

void glnn__mutex_create(glnn__mutex *mutex);
void glnn__mutex_destroy(glnn__mutex *mutex);
void glnn__mutex_lock(glnn__mutex *mutex);
void glnn__mutex_unlock(glnn__mutex *mutex);

void glnn__condition_create(glnn__condition *condition);
void glnn__condition_destroy(glnn__condition *condition);

/* Wake one thread that waits, or all of them. */
void glnn__condition_signal(glnn__condition *condition);
void glnn__condition_broadcast(glnn__condition *condition);

/* Unlocks the mutex until the thread is woken, which may happen without a reason. */
void glnn__condition_wait(glnn__condition *condition, glnn__mutex *mutex);

/* The same, but no longer than until this time of glnn__clock_seconds. Returns false if it is over.
 */
bool glnn__condition_wait_until(glnn__condition *condition, glnn__mutex *mutex, double end);

/* Calls `run` in a new thread, which has to be joined. Signals are for the program's own threads,
 * except SIGBUS, which a thread raises by reading a mapped file that has become shorter. Returns
 * false if the system has no room for a thread. */
bool glnn__thread_start(glnn__thread *thread, void *(*run)(void *argument), void *argument);

/* Waits until the function of the thread has returned. */
void glnn__thread_join(glnn__thread thread);

#endif
