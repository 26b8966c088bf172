/* OpenGL's own messages. */
#ifndef GLNN__GL_DEBUG_H
#define GLNN__GL_DEBUG_H

#include "gl/gl.h"

/* Sends the debug output of an own context to the log and its errors to ctx->gl_error. */
void glnn__debug_start(glnn_context *ctx);

/* Moves the first error reported since the last call to `text`; "" when there was none. */
void glnn__debug_take_error(glnn_context *ctx, char *text, size_t size);

/* The first error flag, the others dropped; GL_NO_ERROR when none is set. */
GLenum glnn__gl_take_flag(void);

/* "GL_INVALID_ENUM" for GL_INVALID_ENUM. */
const char *glnn__gl_error_name(GLenum error);

#endif
