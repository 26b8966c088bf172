/* Contexts on EGL devices, for the EGL platform and for the list of devices. */
#ifndef GLNN__GL_EGL_H
#define GLNN__GL_EGL_H

#include <EGL/egl.h>

#include <glnn/base.h>

#include <stdbool.h>

typedef struct glnn__egl {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE where contexts need none */
} glnn__egl;

/* Makes a context on a device, core profile 4.3 or else whatever is there, and makes it current. */
glnn_status glnn__egl_open(glnn__egl *egl, int device, bool debug);
void glnn__egl_close(glnn__egl *egl);

#endif
