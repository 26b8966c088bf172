#include "base/sized.h"
#include "base/status.h"
#include "gl/egl_device.h"
#include "gl/limits.h"
#include "gl/platform.h"

#include <glnn/context.h>

#include <EGL/eglext.h>

#include <stdio.h>
#include <string.h>

/* The numbers by which EGL knows an interface. */
typedef struct interface {
    EGLenum api;
    EGLint renderable; /* bit of configurations */
    EGLint profile;
    int major, minor; /* of the first attempt */
    int older_major, older_minor;
    const char *name;
} interface;

static const interface interfaces[GLNN_API_COUNT] = {
    [GLNN_API_GL] = {EGL_OPENGL_API, EGL_OPENGL_BIT, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR, 4, 3,
                     3, 2, "desktop OpenGL"},
    [GLNN_API_ES] = {EGL_OPENGL_ES_API, EGL_OPENGL_ES3_BIT_KHR, 0, 3, 1, 2, 0, "OpenGL ES"},
    [GLNN_API_WEBGL] = {EGL_OPENGL_ES_API, EGL_OPENGL_ES3_BIT_KHR, 0, 3, 0, 2, 0, "OpenGL ES"},
};

/* A configuration that OpenGL can draw with, or none if contexts do not need one. */
static EGLConfig choose_config(EGLDisplay display, const interface *of, bool surfaceless)
{
    if (surfaceless && (glnn__egl_has(display, "EGL_KHR_no_config_context") ||
                        glnn__egl_has(display, "EGL_MESA_configless_context")))
        return EGL_NO_CONFIG_KHR;
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, of->renderable, EGL_SURFACE_TYPE,
                             surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
        return EGL_NO_CONFIG_KHR;
    return config;
}

/* A context of a version, which is told of resets of the device if `resets` names the attribute of
 * that. OpenGL ES has no profiles. */
static EGLContext context_of(EGLDisplay display, EGLConfig config, const interface *of, int major,
                             int minor, bool debug, EGLint resets)
{
    const EGLint attributes[][2] = {
        {EGL_CONTEXT_MAJOR_VERSION_KHR, major},
        {EGL_CONTEXT_MINOR_VERSION_KHR, minor},
        {EGL_CONTEXT_FLAGS_KHR, debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0},
        {EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR, of->profile},
        {resets, EGL_LOSE_CONTEXT_ON_RESET_KHR},
    };
    EGLint list[2 * sizeof attributes / sizeof *attributes + 1];
    int count = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
        if (attributes[i][0] == EGL_NONE ||
            (attributes[i][0] == EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR && !of->profile))
            continue;
        list[count++] = attributes[i][0];
        list[count++] = attributes[i][1];
    }
    list[count] = EGL_NONE;
    return eglCreateContext(display, config, EGL_NO_CONTEXT, list);
}

/* Not each driver can tell of resets. */
static EGLContext best_context(EGLDisplay display, EGLConfig config, const interface *of,
                               bool debug)
{
    const EGLint resets = of->api == EGL_OPENGL_API
                              ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR
                              : EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT;
    EGLContext context = context_of(display, config, of, of->major, of->minor, debug, resets);
    if (context == EGL_NO_CONTEXT)
        context = context_of(display, config, of, of->major, of->minor, debug, EGL_NONE);
    if (context == EGL_NO_CONTEXT)
        context =
            context_of(display, config, of, of->older_major, of->older_minor, false, EGL_NONE);
    if (context == EGL_NO_CONTEXT)
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    return context;
}

static glnn_status create_context(glnn__native *egl, const interface *of,
                                  const glnn_context_desc *desc)
{
    bool surfaceless = glnn__egl_has(egl->display, "EGL_KHR_surfaceless_context");
    EGLConfig config = choose_config(egl->display, of, surfaceless);
    egl->context = best_context(egl->display, config, of, desc->debug);
    if (egl->context == EGL_NO_CONTEXT)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "EGL cannot create a context of %s on device %d, neither of version "
                          "%d.%d nor an older one: %s",
                          of->name, desc->device, of->major, of->minor, glnn__egl_error());
    if (surfaceless)
        return GLNN_OK;
    const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    egl->surface = eglCreatePbufferSurface(egl->display, config, size);
    if (egl->surface == EGL_NO_SURFACE)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "EGL cannot create a context without a surface on device %d, nor a pixel "
                          "buffer for one: %s",
                          desc->device, glnn__egl_error());
    return GLNN_OK;
}

static glnn_status bind(glnn__native *egl)
{
    glnn__current current = glnn__current_get();
    if (current.context && !current.egl)
        glnn__current_release();
    if (eglMakeCurrent(egl->display, egl->surface, egl->surface, egl->context))
        return GLNN_OK;
    const char *error = glnn__egl_error();
    return glnn__fail(strcmp(error, "EGL_CONTEXT_LOST") == 0 ? GLNN_E_DEVICE_LOST : GLNN_E_STATE,
                      "EGL cannot make the context current in this thread: %s; does another "
                      "thread use it?",
                      error);
}

/* eglCreateContext creates a context of the API that is bound in the thread. The former API is
 * bound again afterwards, for callers who use another one. */
static glnn_status create_of(glnn__native *egl, const glnn_context_desc *desc)
{
    const interface *of = &interfaces[desc->api];
    EGLenum api = eglQueryAPI();
    if (!eglBindAPI(of->api))
        return glnn__fail(GLNN_E_UNSUPPORTED, "EGL offers no %s on device %d: %s", of->name,
                          desc->device, glnn__egl_error());
    glnn_status status = create_context(egl, of, desc);
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

/* Creates a context on a device and makes it current: of the version that the library needs, or
 * else an older one. */
static glnn_status open_context(glnn__native *egl, const glnn_context_desc *desc)
{
    *egl = (glnn__native){0};
    GLNN__TRY(glnn__egl_display(desc->device, &egl->display));
    glnn_status status = create_of(egl, desc);
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

/* Whether a context of the interface can be created that the library can use. Names the device by
 * the first one that can be created. */
static bool try_interface(glnn_device *device, glnn_api api)
{
    glnn__native egl;
    if (open_context(&egl, &(glnn_context_desc){.device = device->index, .api = api}) != GLNN_OK)
        return false;
    const glnn__gl_names names = glnn__gl_get_names();
    if (!device->renderer[0]) {
        snprintf(device->renderer, sizeof device->renderer, "%s", names.renderer);
        snprintf(device->version, sizeof device->version, "%s", names.version);
        device->software = glnn__gl_is_software(names.renderer);
    }
    const bool suffices = glnn__gl_version_suffices(names.version, api);
    close_context(&egl);
    return suffices;
}

/* The names stay empty if no context can be created. */
static glnn_device describe(int index)
{
    glnn_device device = {.index = index};
    device.usable = try_interface(&device, GLNN_API_GL);
    device.usable_es = try_interface(&device, GLNN_API_ES);
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
