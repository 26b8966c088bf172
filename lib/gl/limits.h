/* The requirements and the limits of a context. */
#ifndef GLNN__GL_LIMITS_H
#define GLNN__GL_LIMITS_H

#include <glnn/context.h>

#include <stdbool.h>

/* How the current context calls itself; "" for what it does not say. */
typedef struct glnn__gl_names {
    const char *vendor;
    const char *renderer;
    const char *version;
} glnn__gl_names;

glnn__gl_names glnn__gl_get_names(void);

/* Whether GL_VERSION is of desktop OpenGL 4.3 or later. */
bool glnn__gl_version_suffices(const char *version);

/* Checks the version and has GLEW load the entry points. Nothing of OpenGL that came after 1.1 may
 * be called before. */
glnn_status glnn__gl_load(void);

bool glnn__gl_has_extension(const char *extension);

/* Checks what else is required and fills in ctx->info; runs between enter and leave. */
glnn_status glnn__gl_measure(glnn_context *ctx);

#endif
