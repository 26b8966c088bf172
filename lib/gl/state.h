/* The caller's OpenGL state in an adopted context. */
#ifndef GLNN__GL_STATE_H
#define GLNN__GL_STATE_H

#include "gl/gl.h"

/* Allocates ctx->saved for the two below. */
glnn_status glnn__state_create(glnn_context *ctx);

/* Saves the state that the library changes. Fails where it could not be restored. */
glnn_status glnn__state_save(glnn_context *ctx);
void glnn__state_restore(glnn_context *ctx);

#endif
