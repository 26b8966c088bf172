/* Which displays EGL has to offer, and what EGL's words mean. */
#ifndef GLNN__GL_EGL_DEVICE_H
#define GLNN__GL_EGL_DEVICE_H

#include <EGL/egl.h>

#include <glnn/base.h>

#include <stdbool.h>

/* The number of devices; Mesa's surfaceless platform is one where EGL lists none. */
glnn_status glnn__egl_count(int *count);

/* The display of a device, initialised. */
glnn_status glnn__egl_display(int device, EGLDisplay *display);

bool glnn__egl_has(EGLDisplay display, const char *extension);

/* The name of the calling thread's last EGL error. */
const char *glnn__egl_error(void);

#endif
