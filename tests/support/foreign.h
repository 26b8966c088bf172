/* OpenGL contexts that the library did not make, for the tests of contexts. */
#ifndef TESTS_FOREIGN_H
#define TESTS_FOREIGN_H

#include "support.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glew.h>
#include <GLFW/glfw3.h>

/* A window of GLFW, or else a context of EGL without one. */
typedef struct foreign {
    GLFWwindow *window;
    EGLDisplay display;
    EGLContext context;
} foreign;

/* They are current when they are returned; `profile` is one of GLFW's. */
foreign foreign_window(int profile);
foreign foreign_headless(void);
foreign foreign_headless_of(bool compatibility);

/* A window with OpenGL 4.`minor`; false if the driver has none. */
bool foreign_window_of(int profile, int minor, foreign *out);

/* A second context that shares the objects of a headless one, and is not made current. */
foreign foreign_sharing(const foreign *own);

/* Loads OpenGL's functions through GLEW in the current context. */
void foreign_load(void);

void foreign_make_current(const foreign *own);
void foreign_end(const foreign *own);

/* Counts the library's messages from here on, by level. */
void watch_log(void);
int watched_messages(glnn_log_level level);

/* The teardown of tests that make contexts of their own: a test that failed half-way must not take
 * the next ones along. */
int leave_nothing_current(void **state);
#define CONTEXT_TEST(function) cmocka_unit_test_teardown(function, leave_nothing_current)

/* Mesa allocates some memory once per loading of its driver, and a leak checker sees it once the
 * driver is gone; the library's displays, which stay, keep it loaded. */
int keep_driver_loaded(void **state);

#endif
