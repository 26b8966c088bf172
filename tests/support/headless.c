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
    EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                       4,
                       EGL_CONTEXT_MINOR_VERSION,
                       minor,
                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                       profile,
                       EGL_NONE,
                       EGL_LOSE_CONTEXT_ON_RESET,
                       EGL_NONE};
    assert_true(eglBindAPI(EGL_OPENGL_API));
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, shared, wanted);
    if (context != EGL_NO_CONTEXT || shared == EGL_NO_CONTEXT)
        return context;
    /* The library's own contexts are told of resets, so those that share with them have to be. */
    wanted[6] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, shared, wanted);
}

void headless_make_current(EGLDisplay display, EGLContext context)
{
    assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}
