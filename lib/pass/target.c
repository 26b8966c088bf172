#include "pass/target.h"

#include "base/status.h"

/* Both images can be of one texture: different levels, or different layers. */
static bool is_same_image(const glnn__texture *a, const glnn__texture *b)
{
    return a->name == b->name && a->level == b->level && a->layer == b->layer;
}

glnn_status glnn__target_check(glnn_context *ctx, const glnn__pass *pass)
{
    const glnn_matrix *output = pass->output;
    GLNN__TRY(glnn__texture_look(ctx, output->name, output->texture));
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        GLNN__TRY(glnn__matrix_check_full(m->name, m));
        GLNN__TRY(glnn__texture_look(ctx, m->name, m->texture));
        if (m != output && is_same_image(m->texture, output->texture))
            return glnn__fail(GLNN_E_ARG,
                              "%s and %s are the same image of texture %u; a matrix that is read "
                              "and written must be adopted once",
                              m->name, output->name, m->texture->name);
    }
    return GLNN_OK;
}

/* Whether the pass would read the texture that it writes. Shaders that add to an image may, and
 * kernels that pick rows of blocks, because they read each texel before they write it. */
static bool is_aliased(const glnn__pass *pass, const glnn__variant *variant)
{
    if (variant->blends && !variant->images)
        return true;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (m && m->texture->name == pass->output->texture->name && pass->picks == 0)
            return true;
    }
    return false;
}

/* Whether the target has to have the former texels. A shader that adds to render targets reads them
 * from the texture of the output. */
static bool keeps_former(const glnn__pass *pass, const glnn__variant *variant)
{
    return variant->images && (pass->blend || pass->picks > 0 || pass->region.width > 0);
}

glnn_status glnn__target_open(glnn_context *ctx, const glnn__pass *pass,
                              const glnn__variant *variant, glnn__target *out)
{
    const glnn_matrix *output = pass->output;
    *out = (glnn__target){.texture = output->texture};
    out->is_other = is_aliased(pass, variant) || (variant->images && !output->texture->is_storable);
    if (!out->is_other) {
        if (!variant->images)
            glnn__texture_make_target(ctx, output->texture);
        return GLNN_OK;
    }
    GLNN__TRY(glnn__texture_acquire(ctx, output->layout, output->storage, output->texture->extent,
                                    output->name, &out->texture));
    if (!keeps_former(pass, variant))
        return GLNN_OK;
    const glnn_status status = glnn__texture_copy(ctx, output->texture, out->texture);
    if (status)
        glnn__texture_release(ctx, out->texture);
    return status;
}

glnn_status glnn__target_close(glnn_context *ctx, const glnn__pass *pass,
                               const glnn__variant *variant, const glnn__target *target)
{
    glnn_matrix *output = pass->output;
    const bool is_shared = output->texture->is_shared;
    if (!target->is_other) {
        if (is_shared && variant->images)
            glnn__gl_show_stores(ctx);
        return GLNN_OK;
    }
    if (is_shared) {
        const glnn_status status = glnn__texture_copy(ctx, target->texture, output->texture);
        glnn__texture_release(ctx, target->texture);
        return status;
    }
    glnn__texture_release(ctx, output->texture);
    output->texture = target->texture;
    return GLNN_OK;
}

void glnn__target_drop(glnn_context *ctx, const glnn__target *target)
{
    if (target->is_other)
        glnn__texture_release(ctx, target->texture);
}
