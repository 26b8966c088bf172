/* Ways to get an OpenGL context: a table of functions for each platform. */
#ifndef GLNN__GL_PLATFORM_H
#define GLNN__GL_PLATFORM_H

#include "gl/current.h"
#include "gl/gl.h"

typedef struct glnn__platform {
    const char *name;
    bool adopted; /* the OpenGL context and its state belong to the caller */

    /* Creates a context of desc->api and makes it current: a core profile 4.3 or OpenGL ES 3.1, a
     * debug context if desc asks for it. If that is not possible it creates any context of the
     * interface, so that the check of its version can name the renderer. The sentence of a failure
     * names the attempts. */
    glnn_status (*create)(glnn__native *native, const glnn_context_desc *desc);
    void (*destroy)(glnn__native *native);

    glnn_status (*make_current)(glnn__native *native);
} glnn__platform;

/* Costs no call of OpenGL. */
static inline bool glnn__platform_is_current(const glnn_context *ctx)
{
    return glnn__current_context() == ctx->native.context;
}

extern const glnn__platform glnn__platform_egl;
extern const glnn__platform glnn__platform_glfw;
extern const glnn__platform glnn__platform_adopt;

#endif
