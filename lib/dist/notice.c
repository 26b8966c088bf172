#include "dist/notice.h"

#include "dist/state.h"

#include <stdarg.h>
#include <stdio.h>

void glnn__mpi_notice(glnn_mpi *group, const char *format, ...)
{
    glnn__mpi_sentence *noticed = &group->watch.noticed;
    va_list arguments;
    if (noticed->text[0])
        return;
    va_start(arguments, format);
    vsnprintf(noticed->text, sizeof noticed->text, format, arguments);
    va_end(arguments);
}

void glnn__mpi_check(glnn_mpi *group, int code, const char *function)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    int length;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    glnn__mpi_notice(group, "%s of rank %d on %s failed: %s", function, group->rank,
                     group->hosts[group->rank], text);
}
