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

static glnn__state_parts drawing_of(const glnn__variant *variant, const glnn__pass *pass)
{
    glnn__state_parts parts =
        GLNN__PART_VERTEX_ARRAY | GLNN__PART_FRAMEBUFFERS | GLNN__PART_DRAWING;
    if (glnn__uses_blending(variant, pass))
        parts |= GLNN__PART_BLENDING;
    if (glnn__uses_targets(variant))
        parts |=
            GLNN__PART_TARGETS | (parts & GLNN__PART_BLENDING ? GLNN__PART_TARGETS_BLENDING : 0);
    return parts;
}

/* If the pass is a part of a longer call, the call finds out before its first pass whether a part
 * is refused, so that it does not fail half-way. */
glnn_status glnn__submit_claim(glnn_context *ctx, const glnn__variant *variant,
                               const glnn__pass *pass)
{
    static const glnn__state_parts of_longer_calls =
        OPERAND_UNITS | IMAGES | GLNN__PART_PROGRAM | GLNN__PART_TRANSFERS;
    if (!ctx->host)
        return GLNN_OK;
    glnn__state_parts parts = GLNN__PART_PROGRAM | units_of(variant) | images_of(variant, pass);
    if (variant->stage == GLNN_STAGE_FRAGMENT)
        parts |= drawing_of(variant, pass);
    if (ctx->depth > 1)
        GLNN__TRY(glnn__gl_can_claim(ctx, of_longer_calls));
    return glnn__gl_claim(ctx, parts);
}

bool glnn__submit_claims_layers(glnn_context *ctx, int factor)
{
    const glnn__state_parts layers = (UINT64_C(1) << GLNN__TILE_LAYERS) - 1;
    return glnn__gl_claim(ctx, layers << GLNN__LAYER_UNIT(factor)) == GLNN_OK;
}
