/* OpenGL's debug output and error flags. */
#ifndef GLNN__GL_DEBUG_H
#define GLNN__GL_DEBUG_H

#include "gl/gl.h"

/* Sends the debug output of one of the library's own contexts to the log, and its errors to
 * ctx->gl_error. */
void glnn__debug_start(glnn_context *ctx);

/* Moves the first error since the last call to `text`; "" if there was none. */
void glnn__debug_take_error(glnn_context *ctx, char *text, size_t size);

/* Clears all error flags and returns the first one; GL_NO_ERROR if none was set. */
GLenum glnn__gl_take_flag(void);

/* "GL_INVALID_ENUM" for GL_INVALID_ENUM. */
const char *glnn__gl_error_name(GLenum error);

#endif
