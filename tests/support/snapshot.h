/* All of the state of the current OpenGL context that glGet and its kin can tell. */
#ifndef TESTS_SNAPSHOT_H
#define TESTS_SNAPSHOT_H

#include <stddef.h>

typedef struct snapshot snapshot;

snapshot *snapshot_take(void);

/* Fails where the state is another one now, and names the difference. The second one also names
 * the function that was called meanwhile. */
void snapshot_check(const snapshot *before);
void snapshot_check_call(const snapshot *before, const char *function);

/* The number of values. */
size_t snapshot_count(const snapshot *taken);

void snapshot_free(snapshot *before);

#endif
