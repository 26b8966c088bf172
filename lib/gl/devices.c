#include <glnn/context.h>

#include "base/status.h"
#include "gl/current.h"
#include "gl/egl.h"
#include "gl/egl_device.h"
#include "gl/limits.h"

#include <stdio.h>

/* A context that cannot be made leaves the names empty. */
static void describe(int index, glnn_device *device)
{
    *device = (glnn_device){.index = index};
    glnn__egl egl;
    if (glnn__egl_open(&egl, index, false) != GLNN_OK)
        return;
    glnn__gl_names names = glnn__gl_get_names();
    snprintf(device->renderer, sizeof device->renderer, "%s", names.renderer);
    snprintf(device->version, sizeof device->version, "%s", names.version);
    device->usable = glnn__gl_version_suffices(names.version);
    glnn__egl_close(&egl);
}

glnn_status glnn_devices(glnn_device *devices, int capacity, int *count)
{
    if (!count)
        return glnn__fail(GLNN_E_ARG, "glnn_devices: count is null");
    if (capacity < 0)
        return glnn__fail(GLNN_E_ARG, "glnn_devices: the capacity is %d, below 0", capacity);
    if (capacity > 0 && !devices)
        return glnn__fail(GLNN_E_ARG, "glnn_devices: devices is null, but the capacity is %d",
                          capacity);
    int found = 0;
    GLNN__TRY(glnn__egl_count(&found));
    glnn__current before = glnn__current_get();
    for (int i = 0; i < found && i < capacity; ++i)
        describe(i, &devices[i]);
    glnn__current_set(&before);
    *count = found;
    return GLNN_OK;
}
