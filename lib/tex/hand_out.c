/* Textures of matrices for the program that draws. */
#include "base/sized.h"
#include "gl/lifetime.h"
#include "tex/matrix.h"

#include <glnn/texture.h>

static void describe(const glnn_matrix *matrix, glnn_texture_info *out)
{
    const glnn__texture *texture = matrix->texture;
    *out = (glnn_texture_info){
        .texture = texture->name,
        .target = texture->target,
        .format = glnn__texture_format(texture),
        .width = texture->width,
        .height = texture->height,
        .layers = texture->extent.layers,
        .layout = matrix->layout,
        .wrap = texture->extent.wrap,
    };
}

glnn_status glnn_matrix_get_texture(const glnn_matrix *matrix, glnn_texture_info *out)
{
    GLNN__HELD(matrix);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_texture_info, out));
    GLNN__TRY(glnn__gl_enter(matrix->ctx));
    glnn__textures *textures = matrix->ctx->slots[GLNN__SLOT_TEXTURES].state;
    glnn__barrier_hand_out(&textures->barriers, &matrix->texture->uses);
    glnn_texture_info info;
    describe(matrix, &info);
    glnn__sized_fill(out, &info, sizeof info);
    return glnn__gl_leave(matrix->ctx, GLNN_OK);
}
