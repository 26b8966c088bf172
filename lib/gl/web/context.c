/* Contexts of WebGL 2 in a browser. Emscripten numbers them; a number stands for the context in
 * glnn__native and glnn__current. */
#include "base/sized.h"
#include "base/status.h"
#include "gl/current.h"
#include "gl/limits.h"
#include "gl/platform.h"

#include <emscripten.h>
#include <emscripten/html5.h>

#include <stdio.h>

/* clang-format off */

/* Creates a context on the canvas that a CSS selector finds, or on one that the page does not show.
 * Returns its number; 0: the page has no canvas for the selector, -1: the canvas has no WebGL 2.
 * Browsers tell the names of the driver only by the extension. */
EM_JS(int, create_on_canvas, (const char *selector), {
    const canvas = selector ? document.querySelector(UTF8ToString(selector))
        : typeof document === 'undefined' ? new OffscreenCanvas(1, 1)
        : document.createElement('canvas');
    if (!canvas || !canvas.getContext)
        return 0;
    const number = GL.createContext(canvas, {
        majorVersion: 2, minorVersion: 0, antialias: false, depth: false, stencil: false,
        powerPreference: 'high-performance', enableExtensionsByDefault: true
    });
    if (!number)
        return -1;
    GL.contexts[number].GLctx.getExtension('WEBGL_debug_renderer_info');
    return number;
})

EM_JS(void, get_buffer_data, (unsigned target, void *out, size_t bytes), {
    GLctx.getBufferSubData(target, 0, HEAPU8, out, bytes);
})

/* clang-format on */

void glnn__gl_read_buffer(GLenum target, size_t bytes, void *out)
{
    get_buffer_data(target, out, bytes);
}

/* ---- The names of the driver */

#define UNMASKED_VENDOR   0x9245
#define UNMASKED_RENDERER 0x9246

static const char *text_of(GLenum name, GLenum masked)
{
    const char *text = (const char *)glGetString(name);
    if (!text && masked) {
        glGetError();
        text = (const char *)glGetString(masked);
    }
    return text ? text : "";
}

glnn__gl_names glnn__gl_get_names(void)
{
    return (glnn__gl_names){text_of(UNMASKED_VENDOR, GL_VENDOR),
                            text_of(UNMASKED_RENDERER, GL_RENDERER), text_of(GL_VERSION, 0)};
}

bool glnn__gl_tells_resets(glnn_api api)
{
    (void)api;
    return true;
}

bool glnn__gl_was_reset(void)
{
    return emscripten_is_webgl_context_lost(emscripten_webgl_get_current_context());
}

/* A program is linked with all commands. */
glnn_status glnn__gl_load_commands(const glnn__gl_names *names, glnn_api api)
{
    (void)names, (void)api;
    return GLNN_OK;
}

/* ---- The current context */

void *glnn__current_context(void)
{
    return (void *)emscripten_webgl_get_current_context();
}

glnn__current glnn__current_get(void)
{
    return (glnn__current){.context = glnn__current_context()};
}

void glnn__current_set(const glnn__current *wanted)
{
    emscripten_webgl_make_context_current((EMSCRIPTEN_WEBGL_CONTEXT_HANDLE)wanted->context);
}

void glnn__current_release(void)
{
    emscripten_webgl_make_context_current(0);
}

/* ---- The platform, which has the place of EGL */

static glnn_status make_current(glnn__native *native)
{
    glnn__current_set(&(glnn__current){.context = native->context});
    if (glnn__current_context() == native->context)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE, "the browser cannot make the context current");
}

static glnn_status check(const glnn_context_desc *desc)
{
    if (desc->api != GLNN_API_WEBGL)
        return glnn__fail(GLNN_E_UNSUPPORTED, "api is %s, but a browser has WebGL alone",
                          glnn_api_name(desc->api));
    if (desc->device > 0)
        return glnn__fail(GLNN_E_LIMIT, "device is %d, but a browser has one device, number 0",
                          desc->device);
    return GLNN_OK;
}

static glnn_status create(glnn__native *native, const glnn_context_desc *desc)
{
    *native = (glnn__native){0};
    GLNN__TRY(check(desc));
    const int number = create_on_canvas(desc->canvas);
    if (number == 0)
        return glnn__fail(GLNN_E_ARG, "canvas is \"%s\", which selects no canvas of the page",
                          desc->canvas);
    if (number < 0)
        return glnn__fail(GLNN_E_UNSUPPORTED, "the browser has no WebGL 2 for a canvas");
    native->context = (void *)number;
    return make_current(native);
}

static void destroy(glnn__native *native)
{
    emscripten_webgl_destroy_context((EMSCRIPTEN_WEBGL_CONTEXT_HANDLE)native->context);
    *native = (glnn__native){0};
}

const glnn__platform glnn__platform_egl = {
    .name = "canvas", .create = create, .destroy = destroy, .make_current = make_current};

/* ---- Devices */

/* The names stay empty if no context can be created. */
static glnn_device describe(void)
{
    glnn_device device = {0};
    glnn__native native;
    if (create(&native, &(glnn_context_desc){.api = GLNN_API_WEBGL}) != GLNN_OK)
        return device;
    const glnn__gl_names names = glnn__gl_get_names();
    snprintf(device.renderer, sizeof device.renderer, "%s", names.renderer);
    snprintf(device.version, sizeof device.version, "%s", names.version);
    device.software = glnn__gl_is_software(names.renderer);
    device.usable = glnn__gl_version_suffices(names.version, GLNN_API_WEBGL);
    destroy(&native);
    return device;
}

glnn_status glnn_device_list(glnn_device *devices, int capacity, int *count)
{
    GLNN__NOT_NULL(count);
    if (capacity < 0)
        return glnn__fail(GLNN_E_ARG, "%s: capacity is %d; it must not be negative", __func__,
                          capacity);
    *count = 1;
    if (capacity == 0)
        return GLNN_OK;
    GLNN__NOT_NULL(devices);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_device, software, devices));
    const glnn__current before = glnn__current_get();
    const glnn_device device = describe();
    glnn__current_set(&before);
    glnn__sized_fill(devices, &device, sizeof device);
    return GLNN_OK;
}
