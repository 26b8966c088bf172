#include "headless.h"

#include "support.h"

#include "gl/egl_device.h"

#include <EGL/eglext.h>

EGLDisplay headless_display(void)
{
    EGLDisplay display;
    expect_ok(glnn__egl_display(0, &display));
    return display;
}

EGLContext headless_context(EGLDisplay display, EGLContext shared, int minor, bool compatibility)
{
    const EGLint profile = compatibility ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                                         : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
    const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                             4,
                             EGL_CONTEXT_MINOR_VERSION,
                             minor,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             profile,
                             EGL_NONE};
    assert_true(eglBindAPI(EGL_OPENGL_API));
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, shared, wanted);
}

void headless_make_current(EGLDisplay display, EGLContext context)
{
    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}
