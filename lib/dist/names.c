#include "dist/support.h"

#include <glnn/mpi.h>

#include <string.h>

static const char *const names[GLNN_MPI_ALGORITHM_COUNT] = {
    [GLNN_MPI_ALGORITHM_AUTO] = "auto",
    [GLNN_MPI_ALGORITHM_ALLREDUCE] = "allreduce",
    [GLNN_MPI_ALGORITHM_TREE] = "tree",
};

const char *glnn_mpi_algorithm_name(glnn_mpi_algorithm algorithm)
{
    const int value = (int)algorithm;
    return value >= 0 && value < GLNN_MPI_ALGORITHM_COUNT ? names[value] : "unknown";
}

glnn_status glnn_mpi_algorithm_from_name(const char *name, glnn_mpi_algorithm *out)
{
    if (!name || !out)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `%s` is null", __func__, name ? "out" : "name");
    for (int i = 0; i < GLNN_MPI_ALGORITHM_COUNT; ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = (glnn_mpi_algorithm)i;
            return GLNN_OK;
        }
    return glnn__mpi_fail(GLNN_E_ARG, "%s: '%s' is unknown; the names are auto, allreduce, tree",
                          __func__, name);
}
