#include "pass/destination.h"

#include "base/status.h"

/* Whether the pass would read the texture that it writes. Shaders that load from an image may, and
 * kernels that pick rows of blocks if they write images, because they read each texel before they
 * write it. */
static bool is_aliased(const glnn_context *ctx, const glnn__pass *pass,
                       const glnn__variant *variant)
{
    if (glnn__variant_fetches_former(ctx, variant))
        return true;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (m && m->texture->name == pass->output->texture->name &&
            (pass->picks == 0 || !ctx->has_images))
            return true;
    }
    return false;
}

/* Whether the target has to have the former texels. */
static bool keeps_former(const glnn_context *ctx, const glnn__pass *pass,
                         const glnn__variant *variant)
{
    const bool adds = pass->blend && !glnn__variant_fetches_former(ctx, variant);
    return adds || pass->picks > 0 || pass->region.width > 0;
}

glnn_matrix *glnn__destination_matrix(const glnn__pass *pass, const glnn__variant *variant,
                                      int place)
{
    if (!(variant->targets >> place & 1))
        return NULL;
    return place == 0 ? pass->output : glnn__pass_side_output(pass, place - 1);
}

static glnn_status acquire_like(glnn_context *ctx, const glnn_matrix *m, glnn__texture **out)
{
    return glnn__texture_acquire(ctx, m->layout, m->storage, m->texture->extent, m->name, out);
}

/* A shader reads the former output as a texture of the library's own, which that of a host, with
 * its levels and layers, is not. */
static glnn_status open_former(glnn_context *ctx, const glnn_matrix *output,
                               const glnn__variant *variant, glnn__destination *out)
{
    if (!glnn__variant_fetches_former(ctx, variant) || !output->texture->is_shared)
        return GLNN_OK;
    GLNN__TRY(acquire_like(ctx, output, &out->former));
    out->is_copied = true;
    return glnn__texture_copy(ctx, output->texture, out->former);
}

static glnn_status open_output(glnn_context *ctx, const glnn__pass *pass,
                               const glnn__variant *variant, glnn__destination *out)
{
    const glnn_matrix *output = pass->output;
    out->texture = output->texture;
    out->is_other =
        is_aliased(ctx, pass, variant) || (variant->images && !output->texture->is_storable);
    if (!out->is_other) {
        if (!variant->images)
            glnn__texture_make_target(ctx, output->texture);
        return GLNN_OK;
    }
    GLNN__TRY(acquire_like(ctx, output, &out->texture));
    if (!keeps_former(ctx, pass, variant))
        return GLNN_OK;
    const glnn_status status = glnn__texture_copy(ctx, output->texture, out->texture);
    if (status)
        glnn__texture_release(ctx, out->texture);
    return status;
}

/* The textures of all targets of a part, in one framebuffer unless they are images. Each side
 * output gets another texture. */
static glnn_status open_joined(glnn_context *ctx, const glnn__pass *pass,
                               const glnn__variant *variant, glnn__destination *out)
{
    const glnn__texture *textures[1 + GLNN__MAX_SIDE_OUTPUTS];
    int count = 0;
    for (int place = 0; variant->targets >> place; ++place) {
        glnn_matrix *m = glnn__destination_matrix(pass, variant, place);
        if (m && place > 0 && !m->next)
            GLNN__TRY(acquire_like(ctx, m, &m->next));
        if (m)
            textures[count++] = place > 0 ? m->next : out->texture;
    }
    out->framebuffer = textures[0]->framebuffer;
    return count > 1 && !variant->images
               ? glnn__texture_join(ctx, textures, count, &out->framebuffer)
               : GLNN_OK;
}

static void release_former(glnn_context *ctx, const glnn__destination *destination)
{
    if (destination->is_copied)
        glnn__texture_release(ctx, destination->former);
}

void glnn__destination_release(glnn_context *ctx, const glnn__destination *destination)
{
    if (destination->is_other)
        glnn__texture_release(ctx, destination->texture);
    release_former(ctx, destination);
}

/* A side output that has rows. If its shader reads it, it gets another texture with a copy. */
static glnn_status open_rows(glnn_context *ctx, const glnn__pass *pass,
                             const glnn__variant *variant, glnn__destination *out)
{
    glnn_matrix *m = glnn__pass_side_output(pass, variant->rows - 1);
    out->texture = out->former = m->texture;
    if (!variant->blends)
        return GLNN_OK;
    GLNN__TRY(acquire_like(ctx, m, &m->next));
    out->texture = m->next;
    return glnn__texture_copy(ctx, m->texture, m->next);
}

glnn_status glnn__destination_open(glnn_context *ctx, const glnn__pass *pass,
                                   const glnn__variant *variant, glnn__destination *out)
{
    *out = (glnn__destination){.texture = pass->output->texture, .former = pass->output->texture};
    if (variant->counted) {
        out->texture = pass->counting.counts->texture;
        out->framebuffer = out->texture->framebuffer;
        return GLNN_OK;
    }
    glnn_status status = variant->rows ? open_rows(ctx, pass, variant, out)
                                       : open_former(ctx, pass->output, variant, out);
    if (!status && glnn__variant_writes_output(variant))
        status = open_output(ctx, pass, variant, out);
    if (status) {
        release_former(ctx, out);
        return status;
    }
    if (variant->targets) {
        status = open_joined(ctx, pass, variant, out);
        if (status)
            glnn__destination_release(ctx, out);
        return status;
    }
    out->framebuffer = out->texture->framebuffer;
    return GLNN_OK;
}

static glnn_status close_output(glnn_context *ctx, const glnn__pass *pass,
                                const glnn__variant *variant, const glnn__destination *destination)
{
    glnn_matrix *output = pass->output;
    const bool is_shared = output->texture->is_shared;
    if (!destination->is_other) {
        if (is_shared && variant->images)
            glnn__gl_show_stores(ctx);
        return GLNN_OK;
    }
    if (is_shared) {
        const glnn_status status = glnn__texture_copy(ctx, destination->texture, output->texture);
        glnn__texture_release(ctx, destination->texture);
        return status;
    }
    glnn__texture_release(ctx, output->texture);
    output->texture = destination->texture;
    return GLNN_OK;
}

glnn_status glnn__destination_close(glnn_context *ctx, const glnn__pass *pass,
                                    const glnn__variant *variant,
                                    const glnn__destination *destination)
{
    const bool has_written = pass->part.is_last || variant->rows;
    release_former(ctx, destination);
    if (glnn__variant_writes_output(variant))
        GLNN__TRY(close_output(ctx, pass, variant, destination));
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS && has_written; ++i) {
        glnn_matrix *m = glnn__pass_side_output(pass, i);
        if (!m || !m->next)
            continue;
        glnn__texture_release(ctx, m->texture);
        m->texture = m->next;
        m->next = NULL;
    }
    return GLNN_OK;
}

void glnn__destination_drop_parts(glnn_context *ctx, const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        glnn_matrix *m = glnn__pass_side_output(pass, i);
        if (!m)
            continue;
        glnn__texture_release(ctx, m->next);
        m->next = NULL;
    }
}
