#include "base/sized.h"
#include "base/status.h"
#include "gl/egl_device.h"
#include "gl/limits.h"
#include "gl/platform.h"

#include <glnn/context.h>

#include <EGL/eglext.h>

#include <stdio.h>
#include <string.h>

/* A configuration that OpenGL can draw with, or none if contexts do not need one. */
static EGLConfig choose_config(EGLDisplay display, bool surfaceless)
{
    if (surfaceless && (glnn__egl_has(display, "EGL_KHR_no_config_context") ||
                        glnn__egl_has(display, "EGL_MESA_configless_context")))
        return EGL_NO_CONFIG_KHR;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                             surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
        return EGL_NO_CONFIG_KHR;
    return config;
}

static EGLContext core_context(EGLDisplay display, EGLConfig config, EGLint major, EGLint minor,
                               bool debug)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                 major,
                                 EGL_CONTEXT_MINOR_VERSION_KHR,
                                 minor,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                 EGL_CONTEXT_FLAGS_KHR,
                                 debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0,
                                 EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

static EGLContext best_context(EGLDisplay display, EGLConfig config, bool debug)
{
    EGLContext context = core_context(display, config, 4, 3, debug);
    if (context == EGL_NO_CONTEXT)
        context = core_context(display, config, 3, 2, false);
    if (context == EGL_NO_CONTEXT)
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    return context;
}

static glnn_status create_context(glnn__native *egl, int device, bool debug)
{
    bool surfaceless = glnn__egl_has(egl->display, "EGL_KHR_surfaceless_context");
    EGLConfig config = choose_config(egl->display, surfaceless);
    egl->context = best_context(egl->display, config, debug);
    if (egl->context == EGL_NO_CONTEXT)
        return glnn__fail(
            GLNN_E_UNSUPPORTED,
            "EGL cannot create an OpenGL context on device %d, neither a core profile "
            "4.3 nor an older one: %s",
            device, glnn__egl_error());
    if (surfaceless)
        return GLNN_OK;
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    egl->surface = eglCreatePbufferSurface(egl->display, config, size);
    if (egl->surface == EGL_NO_SURFACE)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "EGL cannot create a context without a surface on device %d, nor a pixel "
                          "buffer for one: %s",
                          device, glnn__egl_error());
    return GLNN_OK;
}

static glnn_status bind(glnn__native *egl)
{
    glnn__current current = glnn__current_get();
    if (current.context && !current.egl)
        glnn__current_release();
    if (eglMakeCurrent(egl->display, egl->surface, egl->surface, egl->context))
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "EGL cannot make the context current in this thread: %s; does another "
                      "thread use it?",
                      glnn__egl_error());
}

/* eglCreateContext creates a context of the API that is bound in the thread. The former API is
 * bound again afterwards, for callers who use OpenGL ES. */
static glnn_status create_desktop_context(glnn__native *egl, const glnn_context_desc *desc)
{
    EGLenum api = eglQueryAPI();
    if (!eglBindAPI(EGL_OPENGL_API))
        return glnn__fail(GLNN_E_UNSUPPORTED, "EGL offers no desktop OpenGL on device %d: %s",
                          desc->device, glnn__egl_error());
    glnn_status status = create_context(egl, desc->device, desc->debug);
    eglBindAPI(api);
    return status;
}

static void close_context(glnn__native *egl)
{
    if (egl->context != EGL_NO_CONTEXT && eglGetCurrentContext() == egl->context)
        glnn__current_release();
    if (egl->surface != EGL_NO_SURFACE)
        eglDestroySurface(egl->display, egl->surface);
    if (egl->context != EGL_NO_CONTEXT)
        eglDestroyContext(egl->display, egl->context);
    *egl = (glnn__native){0};
}

/* Creates a context on a device and makes it current: a core profile 4.3, or else an older one. */
static glnn_status open_context(glnn__native *egl, const glnn_context_desc *desc)
{
    *egl = (glnn__native){0};
    GLNN__TRY(glnn__egl_display(desc->device, &egl->display));
    glnn_status status = create_desktop_context(egl, desc);
    if (status == GLNN_OK)
        status = bind(egl);
    if (status != GLNN_OK)
        close_context(egl);
    return status;
}

const glnn__platform glnn__platform_egl = {
    .name = "EGL",
    .create = open_context,
    .destroy = close_context,
    .make_current = bind,
};

/* ---- Devices */

/* The names stay empty if no context can be created. */
static glnn_device describe(int index)
{
    glnn_device device = {.index = index};
    glnn__native egl;
    if (open_context(&egl, &(glnn_context_desc){.device = index}) != GLNN_OK)
        return device;
    glnn__gl_names names = glnn__gl_get_names();
    snprintf(device.renderer, sizeof device.renderer, "%s", names.renderer);
    snprintf(device.version, sizeof device.version, "%s", names.version);
    device.usable = glnn__gl_version_suffices(names.version);
    device.software = glnn__gl_is_software(names.renderer);
    close_context(&egl);
    return device;
}

/* Entries have the size that the caller's header gives them, which the first one says. */
static void fill_entry(glnn_device *devices, int index)
{
    const size_t size = devices->size;
    char *entry = (char *)devices + (size_t)index * size;
    const glnn_device device = describe(index);
    memcpy(entry, &size, sizeof size);
    glnn__sized_fill(entry, &device, sizeof device);
}

glnn_status glnn_device_list(glnn_device *devices, int capacity, int *count)
{
    GLNN__NOT_NULL(count);
    if (capacity < 0)
        return glnn__fail(GLNN_E_ARG, "%s: capacity is %d; it must not be negative", __func__,
                          capacity);
    if (capacity > 0) {
        GLNN__NOT_NULL(devices);
        GLNN__TRY(GLNN__SIZED_CHECK(glnn_device, software, devices));
    }
    int found = 0;
    GLNN__TRY(glnn__egl_count(&found));
    glnn__current before = glnn__current_get();
    for (int i = 0; i < found && i < capacity; ++i)
        fill_entry(devices, i);
    glnn__current_set(&before);
    *count = found;
    return GLNN_OK;
}
