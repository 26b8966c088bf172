/* CHECK(call) makes a call of the library. If it fails, it prints the sentence of the library and
 * ends the program. */
#ifndef EXAMPLES_CHECK_H
#define EXAMPLES_CHECK_H

#include <glnn/base.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check(call)

static inline void check(glnn_status status)
{
    if (status == GLNN_OK)
        return;
    fflush(stdout);
    fprintf(stderr, "error: %s (%s)\n", glnn_last_error(), glnn_status_name(status));
    exit(EXIT_FAILURE);
}

#endif
