#include "gl/egl_device.h"

#include "base/status.h"

#include <EGL/eglext.h>

#include <stdlib.h>
#include <string.h>

const char *glnn__egl_error(void)
{
    static const char *const names[] = {
        "EGL_SUCCESS",       "EGL_NOT_INITIALIZED",     "EGL_BAD_ACCESS",
        "EGL_BAD_ALLOC",     "EGL_BAD_ATTRIBUTE",       "EGL_BAD_CONFIG",
        "EGL_BAD_CONTEXT",   "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY",
        "EGL_BAD_MATCH",     "EGL_BAD_NATIVE_PIXMAP",   "EGL_BAD_NATIVE_WINDOW",
        "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE",         "EGL_CONTEXT_LOST",
    };
    EGLint error = eglGetError();
    bool known = error >= EGL_SUCCESS && error <= EGL_CONTEXT_LOST;
    return known ? names[error - EGL_SUCCESS] : "an unknown EGL error";
}

bool glnn__egl_has(EGLDisplay display, const char *extension)
{
    size_t length = strlen(extension);
    const char *list = eglQueryString(display, EGL_EXTENSIONS);
    while (list && (list = strstr(list, extension))) {
        list += length;
        if (*list == ' ' || *list == '\0')
            return true;
    }
    return false;
}

/* Lists EGL's devices into memory for the caller to free; none, where EGL cannot list them. */
static glnn_status list_devices(EGLDeviceEXT **devices, int *count)
{
    *devices = NULL;
    *count = 0;
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLint found = 0;
    if (!glnn__egl_has(EGL_NO_DISPLAY, "EGL_EXT_platform_device") || !query ||
        !query(0, NULL, &found) || found <= 0)
        return GLNN_OK;
    *devices = calloc((size_t)found, sizeof **devices);
    if (!*devices)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the list of %d EGL devices", found);
    if (query(found, *devices, &found))
        *count = found;
    return GLNN_OK;
}

static EGLDisplay surfaceless_display(void)
{
    if (!glnn__egl_has(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return EGL_NO_DISPLAY;
    return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

/* Lists the devices' displays into memory for the caller to free. */
static glnn_status list_displays(EGLDisplay **displays, int *count)
{
    EGLDeviceEXT *devices = NULL;
    GLNN__TRY(list_devices(&devices, count));
    *displays = calloc(*count > 0 ? (size_t)*count : 1, sizeof **displays);
    for (int i = 0; *displays && i < *count; ++i)
        (*displays)[i] = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
    free(devices);
    if (!*displays)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the list of EGL displays");
    if (*count == 0) {
        (*displays)[0] = surfaceless_display();
        *count = (*displays)[0] != EGL_NO_DISPLAY ? 1 : 0;
    }
    if (*count > 0)
        return GLNN_OK;
    free(*displays);
    *displays = NULL;
    return glnn__fail(GLNN_E_UNSUPPORTED, "EGL lists no device and has no surfaceless platform of "
                                          "Mesa's: is a driver for OpenGL installed?");
}

glnn_status glnn__egl_count(int *count)
{
    EGLDisplay *displays = NULL;
    GLNN__TRY(list_displays(&displays, count));
    free(displays);
    return GLNN_OK;
}

/* Displays are never terminated: whoever else in the process asks EGL for the same device has the
 * same display, and would lose its contexts. */
glnn_status glnn__egl_display(int device, EGLDisplay *display)
{
    EGLDisplay *displays = NULL;
    int count = 0;
    GLNN__TRY(list_displays(&displays, &count));
    if (device < count)
        *display = displays[device];
    free(displays);
    if (device >= count)
        return glnn__fail(GLNN_E_LIMIT, "there is no EGL device %d: EGL lists %d, counted from 0",
                          device, count);
    if (*display == EGL_NO_DISPLAY || !eglInitialize(*display, NULL, NULL))
        return glnn__fail(GLNN_E_UNSUPPORTED, "EGL cannot initialise device %d of %d: %s", device,
                          count, glnn__egl_error());
    return GLNN_OK;
}
