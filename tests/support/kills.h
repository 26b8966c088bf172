/* Trainings with checkpoints that are killed at random moments, and started again until they are
 * done. */
#ifndef TESTS_KILLS_H
#define TESTS_KILLS_H

#include "runs.h"

#include "base/random.h"

#include <glnn/exchange.h>

#include <sys/types.h>

/* ---- In a process that is killed */

/* Trains to the end of a run of support/runs.h, from its checkpoint if there is one, saves a
 * checkpoint after each step, and then the end of the training. Returns the status of the process.
 */
int train_to_the_end(int number, const char *checkpoint, const char *end,
                     const glnn_exchange_desc *exchange);

/* ---- In the test */

typedef struct victim {
    bool (*takes)(const run *of); /* the runs that are trained; NULL: all */
    /* Starts the training of a run; returns the process that ends with it. */
    pid_t (*start)(int number, const char *checkpoint, const char *end);
    /* Kills it and waits for its end. */
    void (*kill)(pid_t process, glnn__random *random);
    const char *output; /* file of the test's folder that it prints to; NULL: where the test does */
} victim;

/* Kills trainings as often as GLNN_TEST_KILLS says, or the usual times: one run after the other,
 * each until it ends by itself. None loses its training, and all end with the bits of one that was
 * never killed. */
void kill_trainings(const victim *of, int usual);

#endif
