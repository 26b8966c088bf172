/* Ways to an OpenGL context: one table of functions per platform. */
#ifndef GLNN__GL_PLATFORM_H
#define GLNN__GL_PLATFORM_H

#include "gl/gl.h"

typedef struct glnn__platform {
    const char *name;
    bool adopted; /* the OpenGL context is the caller's, and so is the state in it */

    /* Makes a core profile 4.3 context (debug where desc says so) and makes it current; where
     * there is none, any context, so that the check of its version can name the renderer. Stores
     * what the others need in ctx->platform_data. The sentence of a failure says what was tried. */
    glnn_status (*create)(glnn_context *ctx);
    void (*destroy)(glnn_context *ctx);

    /* Costs no call of OpenGL; make_current is called only where it says no. */
    bool (*is_current)(const glnn_context *ctx);
    glnn_status (*make_current)(glnn_context *ctx);
} glnn__platform;

extern const glnn__platform glnn__platform_egl;
extern const glnn__platform glnn__platform_glfw;
extern const glnn__platform glnn__platform_adopt;

#endif
