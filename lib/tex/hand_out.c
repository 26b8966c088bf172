/* Textures of matrices for the program that draws. */
#include "base/sized.h"
#include "gl/lifetime.h"
#include "tex/adopted.h"
#include "tex/matrix.h"

#include <glnn/texture.h>

static void describe(const glnn_matrix *matrix, glnn_texture_info *out)
{
    const glnn__texture *texture = matrix->texture;
    const glnn__adoption *adoption = &texture->adoption;
    *out = (glnn_texture_info){
        .texture = texture->name,
        .target = texture->target,
        .format = adoption->is_adopted ? (GLenum)adoption->format : glnn__texture_format(texture),
        .width = texture->width,
        .height = texture->height,
        .layers = adoption->is_adopted ? adoption->layers : texture->extent.layers,
        .layout = matrix->layout,
        .wrap = texture->extent.wrap,
        .level = adoption->level,
        .layer = adoption->layer,
    };
}

static glnn_status hand_out(const glnn_matrix *matrix, glnn_texture_info *out)
{
    glnn__textures *textures = matrix->ctx->slots[GLNN__SLOT_TEXTURES].state;
    GLNN__TRY(glnn__adopted_check(matrix->ctx, matrix->name, matrix->texture));
    glnn__barrier_hand_out(&textures->barriers, &matrix->texture->uses);
    describe(matrix, out);
    return GLNN_OK;
}

glnn_status glnn_matrix_get_texture(const glnn_matrix *matrix, glnn_texture_info *out)
{
    GLNN__HELD(matrix);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_texture_info, out));
    GLNN__TRY(glnn__matrix_check_full(__func__, matrix));
    glnn_texture_info info;
    GLNN__TRY(glnn__gl_enter(matrix->ctx));
    GLNN__TRY(glnn__gl_leave(matrix->ctx, hand_out(matrix, &info)));
    glnn__sized_fill(out, &info, sizeof info);
    return GLNN_OK;
}
