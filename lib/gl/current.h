/* The OpenGL context that is current in the calling thread, one of EGL or of GLX. */
#ifndef GLNN__GL_CURRENT_H
#define GLNN__GL_CURRENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct glnn__current {
    bool egl;      /* of EGL, otherwise of GLX                     */
    void *context; /* EGLContext or GLXContext; NULL: none         */
    void *display;
    uintptr_t draw; /* EGLSurface or GLXDrawable */
    uintptr_t read;
} glnn__current;

glnn__current glnn__current_get(void);

/* Only the handle, for comparisons. */
void *glnn__current_context(void);

/* Makes `wanted` current again. */
void glnn__current_set(const glnn__current *wanted);

/* Leaves no context current. EGL and GLX refuse to make a context current while one of the other
 * is, so this precedes such a change. */
void glnn__current_release(void);

#endif
