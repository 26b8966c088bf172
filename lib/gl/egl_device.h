/* The devices of EGL, and its extensions and errors. */
#ifndef GLNN__GL_EGL_DEVICE_H
#define GLNN__GL_EGL_DEVICE_H

#include <EGL/egl.h>

#include <glnn/base.h>

#include <stdbool.h>

/* The number of devices. If EGL lists none, Mesa's surfaceless platform counts as one. */
glnn_status glnn__egl_count(int *count);

/* The display of a device, initialised. */
glnn_status glnn__egl_display(int device, EGLDisplay *display);

bool glnn__egl_has(EGLDisplay display, const char *extension);

/* The name of the calling thread's last EGL error. */
const char *glnn__egl_error(void);

#endif
