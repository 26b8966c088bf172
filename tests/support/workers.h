/* Threads that live until the program ends, each with a context of its own. It takes longer to
 * create a context and to load its programs than to train in it, so teams have them in turn. */
#ifndef TESTS_WORKERS_H
#define TESTS_WORKERS_H

#include <glnn/context.h>

/* Threads are numbered from 0. */
enum { MOST_WORKERS = 8 };

/* Calls `run` in a thread, which has ended the call before. */
void worker_begin(int number, void (*run)(void *user), void *user);

/* Waits until the call has ended. */
void worker_end(int number);

/* The context of a thread: in debug mode and without a cache. The thread itself asks for it. */
glnn_context *worker_context(int number);

#endif
