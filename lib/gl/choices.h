/* The choices of a context. */
#ifndef GLNN__GL_CHOICES_H
#define GLNN__GL_CHOICES_H

#include <glnn/context.h>

/* Makes the choices of a description, or else of the environment. */
glnn_status glnn__gl_make_choices(glnn_context *ctx, const glnn_context_desc *desc);

/* Completes the choice of a tier, its render targets and all that follows from them, once the names
 * and limits of the driver are known. */
glnn_status glnn__gl_choose_tier(glnn_context *ctx);

#endif
