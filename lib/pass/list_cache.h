/* The lists of an object, such as a learner, by what they are about. */
#ifndef GLNN__PASS_LIST_CACHE_H
#define GLNN__PASS_LIST_CACHE_H

#include "pass/list.h"

/* All that the passes of a list depend on, but for slots. Keys are compared as bytes. */
typedef struct glnn__list_key {
    const void *of[6];
    int numbers[12];
} glnn__list_key;

/* Purposes of lists. The latest list of each is known. */
enum { GLNN__LIST_PURPOSES = 7 };

/* Zeros: no lists. */
typedef struct glnn__lists {
    struct glnn__listed *all;
    int count, room;
    glnn__list *latest[GLNN__LIST_PURPOSES]; /* replayed; NULL: none, or it is destroyed */
} glnn__lists;

/* Replays the list of a key, for a purpose. It is recorded first if there is none that is current.
 * `flags` say which intermediate results exist, so that passes do not compute them again; describe
 * changes them as its passes do. A list is used again where it finds the flags that it was recorded
 * with, and it then leaves those that recording has left. */
glnn_status glnn__lists_run(glnn__lists *lists, glnn_context *ctx, int purpose,
                            const glnn__list_key *key, unsigned *flags, glnn__describe_fn *describe,
                            void *self, const void *what);

void glnn__lists_destroy(glnn__lists *lists);

#endif
