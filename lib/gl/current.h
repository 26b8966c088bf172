/* The context that is current in the calling thread, whoever made it: EGL's or GLX's. */
#ifndef GLNN__GL_CURRENT_H
#define GLNN__GL_CURRENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct glnn__current {
    bool egl;      /* EGL's; otherwise GLX's                     */
    void *context; /* EGLContext or GLXContext; NULL when none is */
    void *display;
    uintptr_t draw; /* EGLSurface or GLXDrawable */
    uintptr_t read;
} glnn__current;

glnn__current glnn__current_get(void);

/* The handle alone, for comparisons. */
void *glnn__current_context(void);

/* Makes `wanted` current again, or none where it is none. */
void glnn__current_set(const glnn__current *wanted);

/* Leaves no context current. EGL and GLX refuse to take over from one another, so this comes
 * before a change from the one to the other. */
void glnn__current_release(void);

#endif
