/* Failures of the helpers of the examples: functions return false and leave a sentence. */
#ifndef EXAMPLES_FAILURE_H
#define EXAMPLES_FAILURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets the sentence and returns false, so that a helper can end with `return refuse(...)`. */
__attribute__((format(printf, 1, 2))) bool refuse(const char *format, ...);

/* The sentence of the latest refuse(), valid until the next one. */
const char *failure(void);

/* Flushes standard output. If output was lost, as on a full disk, it prints a sentence on standard
 * error and returns EXIT_FAILURE. */
int output_status(void);

/* Checks the call of a helper as CHECK does a call of the library. */
#define REQUIRE(call) require(call)

static inline void require(bool done)
{
    if (done)
        return;
    fflush(stdout);
    fprintf(stderr, "error: %s\n", failure());
    exit(EXIT_FAILURE);
}

#endif
