/* Submits a pass to OpenGL: bindings, and the draw or dispatch. */
#ifndef GLNN__PASS_SUBMIT_H
#define GLNN__PASS_SUBMIT_H

#include "pass/program.h"

/* Whether fixed functions add to the former output, and not the shader. */
static inline bool glnn__uses_blending(const glnn__variant *variant, const glnn__pass *pass)
{
    return pass->blend && !variant->blends;
}

/* Whether the pass draws to more than one render target. */
static inline bool glnn__uses_targets(const glnn__variant *variant)
{
    return variant->stage == GLNN_STAGE_FRAGMENT && !variant->images &&
           variant->output_layout == GLNN_LAYOUT_TILED;
}

/* Claims the parts of OpenGL's state that the pass changes. */
glnn_status glnn__submit_claim(glnn_context *ctx, const glnn__variant *variant,
                               const glnn__pass *pass);

/* Claims the texture units for the layers of a factor. If the host has bound an object there that
 * could not be bound again, the factor is read as one texture, which gives the same bits. */
bool glnn__submit_claims_layers(glnn_context *ctx, int factor);

/* Runs a program over the blocks of `target`, or those of the pass's region. */
void glnn__submit(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                  const glnn__pass *pass, glnn__texture *target);

/* Uses a program without writing anything, so that the driver completes it. */
void glnn__submit_nothing(glnn_context *ctx, glnn__programs *programs, glnn__program *program,
                          const glnn__pass *pass, glnn__texture *target);

#endif
