/* Hosts that load the functions of OpenGL by name, as programs with glad do: in a window through
 * glXGetProcAddress, and without one through eglGetProcAddress. */
#include <dlfcn.h>
#include <stdio.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "support/headless.h"
#include "support/host_scene.h"
#include "support/support.h"

typedef void (*function)(void);

/* Windows */

static GLFWwindow *window;
static void *library;

static bool open_window(int minor, bool compatibility, char why[256])
{
    const char *sentence = "";
    assert_true(glfwInit());
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE,
                   compatibility ? GLFW_OPENGL_COMPAT_PROFILE : GLFW_OPENGL_CORE_PROFILE);
    window = glfwCreateWindow(64, 64, "host", NULL, NULL);
    glfwGetError(&sentence);
    snprintf(why, 256, "%s", window ? "" : sentence);
    if (window)
        glfwMakeContextCurrent(window);
    return window != NULL;
}

static const host_functions *load_from_glx(void)
{
    static host_functions gl;
    function (*load)(const char *name);
    library = dlopen("libGL.so.1", RTLD_NOW);
    assert_non_null(library);
    memcpy(&load, &(void *){dlsym(library, "glXGetProcAddressARB")}, sizeof load);
#define LOAD_GLX(capitals, name) gl.name = (PFNGL##capitals##PROC)load("gl" #name);
    HOST_FUNCTIONS(LOAD_GLX)
    return &gl;
}

static void close_window(void)
{
    dlclose(library);
    glfwTerminate();
}

static void a_program_that_loads_functions_from_glx_can_be_the_host(void **state)
{
    (void)state;
    check_host(&(host_program){"GLX, by hand", open_window, load_from_glx, close_window});
}

/* No window */

static EGLContext context;

static bool open_context(int minor, bool compatibility, char why[256])
{
    context = headless_context(headless_display(), EGL_NO_CONTEXT, minor, compatibility);
    if (context == EGL_NO_CONTEXT)
        snprintf(why, 256, "EGL error 0x%04X", (unsigned)eglGetError());
    else
        headless_make_current(headless_display(), context);
    return context != EGL_NO_CONTEXT;
}

static const host_functions *load_from_egl(void)
{
    static host_functions gl;
#define LOAD_EGL(capitals, name) gl.name = (PFNGL##capitals##PROC)eglGetProcAddress("gl" #name);
    HOST_FUNCTIONS(LOAD_EGL)
    return &gl;
}

static void close_context(void)
{
    headless_make_current(headless_display(), EGL_NO_CONTEXT);
    eglDestroyContext(headless_display(), context);
}

static void a_program_that_loads_functions_from_egl_can_be_the_host(void **state)
{
    (void)state;
    check_host(&(host_program){"EGL, by hand", open_context, load_from_egl, close_context});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_loads_functions_from_glx_can_be_the_host),
        cmocka_unit_test(a_program_that_loads_functions_from_egl_can_be_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
