/* The parts of OpenGL's state that a pass changes. */
#include "base/status.h"
#include "pass/submit.h"

/* The units of all operands, and that of the former output. */
#define OPERAND_UNITS ((UINT64_C(2) << GLNN__FORMER_UNIT) - 1)

#define IMAGES (((UINT64_C(1) << GLNN__IMAGE_UNITS) - 1) << GLNN__TEXTURE_UNITS)

static glnn__state_parts units_of(const glnn__variant *variant)
{
    glnn__state_parts units = 0;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (variant->operands[i].is_present)
            units |= GLNN__PART_UNIT(i);
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

/* Passes use most units of operands, so a longer call claims all of them. Of the other parts it
 * only asks whether they can be claimed. */
static glnn_status claim_for_all(glnn_context *ctx)
{
    GLNN__TRY(glnn__gl_claim(ctx, OPERAND_UNITS | GLNN__PART_PROGRAM));
    return glnn__gl_can_claim(ctx, IMAGES | GLNN__PART_TRANSFERS);
}

/* If the pass is a part of a longer call, the call finds out before its first pass whether a part
 * is refused, so that it does not fail half-way. */
glnn_status glnn__submit_claim(glnn_context *ctx, const glnn__variant *variant,
                               const glnn__pass *pass)
{
    static const glnn__state_parts to_draw =
        GLNN__PART_VERTEX_ARRAY | GLNN__PART_FRAMEBUFFERS | GLNN__PART_DRAWING;
    glnn__state_parts parts = GLNN__PART_PROGRAM | units_of(variant) | images_of(variant, pass);
    if (ctx->depth > 1)
        GLNN__TRY(claim_for_all(ctx));
    if (variant->stage == GLNN_STAGE_FRAGMENT)
        parts |= to_draw;
    if (glnn__uses_blending(variant, pass))
        parts |= GLNN__PART_BLENDING;
    return glnn__gl_claim(ctx, parts);
}

bool glnn__submit_claims_layers(glnn_context *ctx, int factor)
{
    const glnn__state_parts layers = (UINT64_C(1) << GLNN__TILE_LAYERS) - 1;
    return glnn__gl_claim(ctx, layers << GLNN__LAYER_UNIT(factor)) == GLNN_OK;
}
