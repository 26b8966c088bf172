/* A messenger between threads of the test program, each with a context of its own: the processes of
 * a training. */
#ifndef TESTS_MESSENGER_H
#define TESTS_MESSENGER_H

#include "support.h"

#include <glnn/exchange.h>

/* How the messenger behaves. */
typedef struct team_desc {
    int ranks;
    double patience;   /* seconds that a function waits for another process; 0: 60      */
    bool is_late;      /* is_done says false, so that messages arrive in `end` alone   */
    double delay;      /* seconds that each sum takes at least, beginning with the last process  */
    const char *cache; /* folder for the programs and the device profile of the contexts, so that
                          the processes measure their exchange; NULL: none */
    int fails_after;   /* calls after which the messenger of rank 0 fails; 0: it never fails */
} team_desc;

/* One of the processes, in its thread. */
typedef struct team_member {
    int rank, ranks;
    glnn_context *ctx; /* a debug context of its own */
    const glnn_messenger *messenger;
    void *user; /* of team_run */
} team_member;

/* Runs `run` for each process in a thread of its own, and waits for all. Later teams have the same
 * threads and contexts, unless they have a cache. An assertion that fails in a thread ends the
 * program. Helpers that hand memory to release_all belong to the main thread. */
void team_run(const team_desc *desc, void (*run)(const team_member *self), void *user);

/* Sums and gathers that the latest team made in all, and numbers that each process handed in.
 * Pieces of long work of rank 0, which never begins or ends a message meanwhile. */
typedef struct team_counts {
    uint64_t gathers, messages, numbers, works;
} team_counts;

team_counts team_get_counts(void);

#endif
