/* The parts of OpenGL's state that a pass changes. */
#include "pass/submit.h"

static glnn__state_parts units_of(const glnn__variant *variant, const glnn__pass *pass)
{
    glnn__state_parts units = 0;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix)
            units |= GLNN__PART_UNIT(i);
    for (int i = 0; i < GLNN__FACTORS; ++i)
        if (pass->blocking.layered[i])
            units |= ((UINT64_C(1) << GLNN__TILE_LAYERS) - 1) << GLNN__LAYER_UNIT(i);
    return variant->blends ? units | GLNN__PART_UNIT(GLNN__FORMER_UNIT) : units;
}

static glnn__state_parts images_of(const glnn__variant *variant, const glnn__pass *pass)
{
    glnn__state_parts images = variant->images ? GLNN__PART_IMAGE(0) : 0;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        if (glnn__pass_side_output(pass, i))
            images |= GLNN__PART_IMAGE(1 + i);
    return images;
}

/* If the pass is a part of a longer call, the call claims at once all parts that can be refused, so
 * that it does not fail half-way. */
glnn_status glnn__submit_claim(glnn_context *ctx, const glnn__variant *variant,
                               const glnn__pass *pass)
{
    static const glnn__state_parts to_draw =
        GLNN__PART_VERTEX_ARRAY | GLNN__PART_FRAMEBUFFERS | GLNN__PART_DRAWING;
    glnn__state_parts parts =
        GLNN__PART_PROGRAM | units_of(variant, pass) | images_of(variant, pass);
    if (ctx->depth > 1)
        parts |= GLNN__PARTS_SHARED;
    if (variant->stage == GLNN_STAGE_FRAGMENT)
        parts |= to_draw;
    if (glnn__uses_blending(variant, pass))
        parts |= GLNN__PART_BLENDING;
    return glnn__gl_claim(ctx, parts);
}
