#include "dist/state.h"
#include "dist/support.h"

#include <glnn/context.h>

enum { MOST_DEVICES = 256 };

/* The number of the usable devices of a kind that come before device `end` in the list. */
static int count_devices(const glnn_device *devices, int end, bool software)
{
    int found = 0;
    for (int i = 0; i < end; ++i)
        found += devices[i].usable && devices[i].software == software;
    return found;
}

/* Device `place` of those of a kind. */
static int find_device(const glnn_device *devices, int count, bool software, int place)
{
    int i = 0;
    while (i < count && count_devices(devices, i + 1, software) <= place)
        ++i;
    return devices[i].index;
}

glnn_status glnn_mpi_get_device(const glnn_mpi *mpi, int *device)
{
    glnn_device devices[MOST_DEVICES] = {{.size = sizeof devices[0]}};
    int count = 0;
    if (!mpi || !device)
        return glnn__mpi_fail(GLNN_E_ARG, "%s: `%s` is null", __func__, mpi ? "device" : "mpi");
    const glnn_status status = glnn_device_list(devices, MOST_DEVICES, &count);
    if (status)
        return status;
    count = count < MOST_DEVICES ? count : MOST_DEVICES;
    const int hardware = count_devices(devices, count, false);
    if (hardware)
        *device = find_device(devices, count, false, mpi->host_rank % hardware);
    else if (count_devices(devices, count, true))
        *device = find_device(devices, count, true, 0);
    else
        return glnn__mpi_fail(GLNN_E_UNSUPPORTED, "%s: none of %d EGL devices on %s is usable",
                              __func__, count, mpi->hosts[mpi->rank]);
    return GLNN_OK;
}
