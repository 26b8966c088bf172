/* A program of somebody else's that runs as several processes: C and C++, built against the
 * installed libraries alone. */
#include <glnn/glnn.h>
#include <glnn/mpi.h>

#include <stdio.h>

static glnn_status sum(const glnn_messenger *messenger, float *value)
{
    glnn_status status = messenger->begin_sum(messenger->user, 0, value, 1);
    return status ? status : messenger->end(messenger->user, 0);
}

int main(void)
{
    glnn_mpi *mpi;
    int device;
    float value = 1;
    if (glnn_mpi_create(NULL, &mpi) || glnn_mpi_get_device(mpi, &device)) {
        fprintf(stderr, "several: %s\n", glnn_last_error());
        return 1;
    }
    const glnn_messenger *messenger = glnn_mpi_get_messenger(mpi);
    if (sum(messenger, &value)) {
        fprintf(stderr, "several: %s\n", messenger->get_error(messenger->user));
        return 1;
    }
    const int is_right = value == 2 && glnn_mpi_get_ranks(mpi) == 2;
    if (!is_right)
        fprintf(stderr, "several: the sum of %d ranks is %g\n", glnn_mpi_get_ranks(mpi), value);
    glnn_mpi_destroy(mpi);
    return !is_right;
}
