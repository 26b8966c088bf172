/* Matrices in textures of the host. */
#include "base/names.h"
#include "gl/lifetime.h"
#include "tex/adopted.h"
#include "tex/matrix.h"

#include <glnn/texture.h>

#include <stdlib.h>

static const char *const pixels_names[GLNN_PIXELS_COUNT] = {
    [GLNN_PIXELS_AS_COLUMNS] = "as_columns",
    [GLNN_PIXELS_AS_ROWS] = "as_rows",
};

GLNN__DEFINE_NAMES(glnn_pixels, pixels_names)

static GLenum target_of(const glnn_texture_desc *desc)
{
    return desc->target ? desc->target : GL_TEXTURE_2D;
}

/* Checks the fields that need no look at the texture. */
static glnn_status check_desc(const char *function, const glnn_texture_desc *desc)
{
    const GLenum target = target_of(desc);
    if (desc->texture == 0)
        return glnn__fail(GLNN_E_ARG, "%s: `texture` is 0, which names no texture", function);
    if (target != GL_TEXTURE_2D && target != GL_TEXTURE_2D_ARRAY)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `target` is 0x%04x; it must be GL_TEXTURE_2D or GL_TEXTURE_2D_ARRAY",
                          function, target);
    if (desc->level < 0 || desc->level > 30)
        return glnn__fail(GLNN_E_ARG, "%s: `level` is %d; it must be from 0 to 30", function,
                          desc->level);
    if (desc->layer < 0 || (target == GL_TEXTURE_2D && desc->layer > 0))
        return glnn__fail(GLNN_E_ARG, "%s: `layer` is %d; it must %s", function, desc->layer,
                          desc->layer < 0 ? "not be negative" : "be 0 for GL_TEXTURE_2D");
    if ((unsigned)desc->pixels >= GLNN_PIXELS_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: `pixels` is %d, which is not in the enumeration",
                          function, (int)desc->pixels);
    return GLNN_OK;
}

/* Fills in the channels that are columns, and for AS_ROWS how the texture is wrapped. */
static glnn_status choose_rows(const char *name, const glnn_texture_desc *desc,
                               glnn__texture *texture)
{
    const int channels = glnn__layout_get(texture->layout)->channels;
    const bool as_rows = desc->pixels == GLNN_PIXELS_AS_ROWS;
    if (desc->channels < 0 || desc->channels > channels)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `channels` is %d; it must be from 0 to %d, the channels of the "
                          "texture",
                          name, desc->channels, channels);
    if (desc->channels > 0 && desc->channels < channels && !as_rows)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `channels` is %d; pixels that are columns have all %d channels of "
                          "the texture",
                          name, desc->channels, channels);
    if (as_rows && (texture->width & (texture->width - 1)) != 0)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the texture is %d texels wide; pixels can only be rows if the width "
                          "is a power of two",
                          name, texture->width);
    texture->adoption.channels = desc->channels > 0 ? desc->channels : channels;
    while (as_rows && 1 << texture->extent.wrap < texture->width)
        texture->extent.wrap++;
    return GLNN_OK;
}

static glnn_status describe(glnn_context *ctx, const glnn_texture_desc *desc, const char *name,
                            glnn__texture *texture)
{
    *texture = (glnn__texture){
        .name = desc->texture,
        .target = target_of(desc),
        .adoption = {.level = desc->level, .layer = desc->layer},
    };
    GLNN__TRY(glnn__adopted_describe(ctx, name, texture));
    GLNN__TRY(choose_rows(name, desc, texture));
    return glnn__adopted_check_parameters(name, texture);
}

static glnn_status adopt(glnn_context *ctx, const glnn_texture_desc *desc, glnn_matrix **out)
{
    glnn__textures *textures;
    const char *name = desc->name ? desc->name : "texture";
    GLNN__TRY(glnn__textures_get(ctx, &textures));
    glnn__texture *texture = malloc(sizeof *texture);
    if (!texture)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a texture", name);
    const glnn_status status = describe(ctx, desc, name, texture);
    if (status) {
        free(texture);
        return status;
    }
    const bool as_rows = desc->pixels == GLNN_PIXELS_AS_ROWS;
    const int channels = texture->adoption.channels;
    return glnn__matrix_of_texture(ctx, texture,
                                   as_rows ? texture->width * texture->height : texture->height,
                                   as_rows ? channels : texture->width * channels, name, out);
}

glnn_status glnn_matrix_adopt(glnn_context *ctx, const glnn_texture_desc *desc, glnn_matrix **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(check_desc(__func__, desc));
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, adopt(ctx, desc, out)));
    glnn__matrix_add_object(*out);
    return GLNN_OK;
}
