/* The host of an adopted context: its commands that exclude calls of the library, because a
 * conditional render may discard passes and a counting query would count them, and its OpenGL
 * state. */
#ifndef GLNN__GL_HOST_H
#define GLNN__GL_HOST_H

#include "gl/gl.h"

/* Fills in ctx->host for the two below. Fails where such a query is active. */
glnn_status glnn__host_create(glnn_context *ctx);

/* Deletes the query object. */
void glnn__host_destroy(glnn_context *ctx);

/* E_STATE inside a conditional render or an active query of the host that would count passes.
 * Changes no state; no error flag may be set before. */
glnn_status glnn__host_check(const glnn_context *ctx);

/* Saves the state that the library changes in ctx->saved, which create allocates. Fails where the
 * state could not be restored. */
glnn_status glnn__state_create(glnn_context *ctx);
glnn_status glnn__state_save(glnn_context *ctx);
void glnn__state_restore(glnn_context *ctx);

#endif
