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

/* Lists EGL's devices; the caller frees the list. If EGL has none, the list has one entry,
 * EGL_NO_DEVICE_EXT, which means Mesa's surfaceless platform. */
static glnn_status list_devices(EGLDeviceEXT **devices, int *count)
{
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    EGLint found = 0;
    const bool lists = glnn__egl_has(EGL_NO_DISPLAY, "EGL_EXT_platform_device") && query &&
                       query(0, NULL, &found) && found > 0;
    if (!lists && !glnn__egl_has(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return glnn__fail(
            GLNN_E_UNSUPPORTED,
            "EGL lists no devices and lacks Mesa's surfaceless platform: is an OpenGL "
            "driver installed?");
    *count = lists ? found : 1;
    *devices = calloc((size_t)*count, sizeof **devices);
    if (!*devices)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the list of %d EGL devices", *count);
    if (lists)
        *count = query(found, *devices, &found) ? found : 0;
    return GLNN_OK;
}

glnn_status glnn__egl_count(int *count)
{
    EGLDeviceEXT *devices = NULL;
    GLNN__TRY(list_devices(&devices, count));
    free(devices);
    return GLNN_OK;
}

static EGLDisplay display_of(EGLDeviceEXT device)
{
    return device == EGL_NO_DEVICE_EXT
               ? eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
               : eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, NULL);
}

/* Displays are never terminated. Other code in the process that uses the same device has the same
 * display, and would lose its contexts. */
glnn_status glnn__egl_display(int device, EGLDisplay *display)
{
    EGLDeviceEXT *devices = NULL;
    int count = 0;
    GLNN__TRY(list_devices(&devices, &count));
    *display = device < count ? display_of(devices[device]) : EGL_NO_DISPLAY;
    free(devices);
    if (device >= count)
        return glnn__fail(GLNN_E_LIMIT,
                          "there is no EGL device %d: EGL lists %d, and the first one is 0", device,
                          count);
    if (*display == EGL_NO_DISPLAY || !eglInitialize(*display, NULL, NULL))
        return glnn__fail(GLNN_E_UNSUPPORTED, "EGL cannot initialise device %d of %d: %s", device,
                          count, glnn__egl_error());
    return GLNN_OK;
}
