#include "dist/support.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

glnn_status glnn__mpi_fail(glnn_status status, const char *format, ...)
{
    char sentence[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return glnn_last_error_set(status, sentence);
}

glnn_status glnn__mpi_check_call(int code, const char *function)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    if (code == MPI_SUCCESS)
        return GLNN_OK;
    MPI_Error_string(code, text, &length);
    return glnn__mpi_fail(GLNN_E_PROCESS, "glnn_mpi_create: %s failed: %s", function, text);
}
