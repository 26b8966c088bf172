/* A fixed number of threads that share loops over arrays. */
#ifndef GLNN__BASE_POOL_H
#define GLNN__BASE_POOL_H

#include <stddef.h>

typedef struct glnn__pool glnn__pool;

/* Does the work for the places from `begin` to `end` - 1. */
typedef void (*glnn__pool_work)(const void *work, size_t begin, size_t end);

/* `threads` includes the one that calls. NULL: memory ran out, or a thread cannot be created. */
glnn__pool *glnn__pool_create(int threads);

/* A pool with a share of the cores of the host, which so many processes use alike. 0: it is unknown
 * how many, and the calling thread is alone. */
glnn__pool *glnn__pool_create_share(int processes);

void glnn__pool_destroy(glnn__pool *pool);

/* Calls `run` for the parts of `count` places, and returns when all are done. Parts begin at
 * multiples of 64. `bytes` is about how many bytes a place reads and writes: little work is done by
 * the calling thread alone. */
void glnn__pool_run(glnn__pool *pool, glnn__pool_work run, const void *work, size_t count,
                    size_t bytes);

/* memcpy by all threads. */
void glnn__pool_copy(glnn__pool *pool, void *to, const void *from, size_t bytes);

#endif
