/* A host that calls OpenGL through libepoxy. */
#include <epoxy/gl.h>

#include <stdio.h>

#include "support/headless.h"
#include "support/host_scene.h"
#include "support/support.h"

static EGLContext context;

static bool open_context(int minor, bool compatibility, char why[256])
{
    context = headless_context(headless_display(), EGL_NO_CONTEXT, minor, compatibility);
    if (context == EGL_NO_CONTEXT) {
        snprintf(why, 256, "EGL error 0x%04X", (unsigned)eglGetError());
        return false;
    }
    headless_make_current(headless_display(), context);
    assert_in_range(epoxy_gl_version(), 40 + minor, 46);
    return true;
}

/* libepoxy resolves each function when it is first called. */
static const host_functions *take_functions(void)
{
    static host_functions gl;
#define TAKE(capitals, name) gl.name = gl##name;
    HOST_FUNCTIONS(TAKE)
    return &gl;
}

static void close_context(void)
{
    headless_make_current(headless_display(), EGL_NO_CONTEXT);
    eglDestroyContext(headless_display(), context);
}

static void a_program_of_libepoxy_can_be_the_host(void **state)
{
    (void)state;
    check_host(&(host_program){"libepoxy", open_context, take_functions, close_context});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_program_of_libepoxy_can_be_the_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
