/* The program whose context was adopted: its OpenGL state, and commands of it during which the
 * library must not draw. */
#ifndef GLNN__GL_HOST_H
#define GLNN__GL_HOST_H

#include "gl/gl.h"

/* Fills in ctx->host. Fails if a display list or a counting query of the host is active. */
glnn_status glnn__host_create(glnn_context *ctx);

/* Deletes the query object. */
void glnn__host_destroy(glnn_context *ctx);

/* Fails with E_STATE during a conditional render, a display list or a counting query of the host.
 * Changes no state. OpenGL's error flag must be clear. */
glnn_status glnn__host_check(const glnn_context *ctx);

/* Save and restore the state that the library changes, in ctx->saved, which create allocates. Save
 * fails if the state could not be restored. */
glnn_status glnn__state_create(glnn_context *ctx);
glnn_status glnn__state_save(glnn_context *ctx);
void glnn__state_restore(glnn_context *ctx);

#endif
