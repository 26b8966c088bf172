/* The texture that a pass writes, which is not always that of its output. */
#ifndef GLNN__PASS_TARGET_H
#define GLNN__PASS_TARGET_H

#include "pass/variant.h"

typedef struct glnn__target {
    glnn__texture *texture;
    bool is_other; /* a texture of the pool */
} glnn__target;

/* Checks the textures of a pass. E_STATE: a host has deleted or changed one. E_ARG: the output is
 * the same image as an operand, but another matrix. */
glnn_status glnn__target_check(glnn_context *ctx, const glnn__pass *pass);

/* Precedes the pass, whose state is claimed. Close follows, unless open fails. */
glnn_status glnn__target_open(glnn_context *ctx, const glnn__pass *pass,
                              const glnn__variant *variant, glnn__target *out);
glnn_status glnn__target_close(glnn_context *ctx, const glnn__pass *pass,
                               const glnn__variant *variant, const glnn__target *target);

/* Closes a target that no pass has written. */
void glnn__target_drop(glnn_context *ctx, const glnn__target *target);

#endif
