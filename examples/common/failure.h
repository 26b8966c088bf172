/* Failures of the examples' own helpers: they return false and leave a sentence behind. */
#ifndef EXAMPLES_FAILURE_H
#define EXAMPLES_FAILURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Keeps the sentence and returns false, so that a helper ends with `return refuse(...)`. */
__attribute__((format(printf, 1, 2))) bool refuse(const char *format, ...);

/* The sentence of the latest refuse(); valid until the next one. */
const char *failure(void);

/* Writes what is left of standard output. EXIT_FAILURE, with a sentence on standard error, where
 * some of it could not be written, as on a full disk. */
int output_status(void);

/* REQUIRE(call) is to the helpers what CHECK(call) is to the library. */
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
