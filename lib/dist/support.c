#include "dist/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

double glnn__mpi_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

glnn_status glnn__mpi_fail(glnn_status status, const char *format, ...)
{
    char sentence[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return glnn_last_error_set(status, sentence);
}
