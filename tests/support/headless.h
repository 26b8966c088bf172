/* OpenGL contexts of EGL without a window. */
#ifndef TESTS_HEADLESS_H
#define TESTS_HEADLESS_H

#include <EGL/egl.h>

#include <stdbool.h>

/* Of the first device, a GPU if the machine has one. It is never terminated: the library's own
 * contexts have the same display. */
EGLDisplay headless_display(void);

/* A context of OpenGL 4.`minor` that shares the objects of another one, or EGL_NO_CONTEXT if the
 * driver refuses. It is not made current. */
EGLContext headless_context(EGLDisplay display, EGLContext shared, int minor, bool compatibility);

/* EGL_NO_CONTEXT: none is current then. */
void headless_make_current(EGLDisplay display, EGLContext context);

#endif
