#include "gl/host.h"

#include "base/status.h"

#include <stdio.h>

static const struct {
    GLenum target, binding;
    const char *name;
} buffers[GLNN__TRANSFER_BUFFERS] = {
    {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, "GL_PIXEL_PACK_BUFFER"},
    {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, "GL_PIXEL_UNPACK_BUFFER"},
};

typedef GLboolean(GLAPIENTRY *exists_fn)(GLuint name);

/* An object that was deleted in a sharing context stays bound, but cannot be bound again. `unit` is
 * negative if the place has none. */
static glnn_status check_alive(const char *kind, exists_fn exists, GLint name, const char *place,
                               int unit)
{
    char number[16] = "";
    if (!name || exists((GLuint)name))
        return GLNN_OK;
    if (unit >= 0)
        snprintf(number, sizeof number, " %d", unit);
    return glnn__fail(
        GLNN_E_STATE,
        "%s %d, which is bound to %s%s in the adopted context, was deleted in a sharing "
        "context and would be lost; bind another one or 0 first",
        kind, name, place, number);
}

/* The object to bind again: none if the host has deleted it since begin. */
static GLuint alive(exists_fn exists, GLint name)
{
    return name && exists((GLuint)name) ? (GLuint)name : 0;
}

/* The program cannot be changed while transform feedback is active. */
static void pause_feedback(glnn__state *state)
{
    state->feedback_paused = glnn__gl_integer(GL_TRANSFORM_FEEDBACK_BUFFER_ACTIVE) &&
                             !glnn__gl_integer(GL_TRANSFORM_FEEDBACK_BUFFER_PAUSED);
    if (state->feedback_paused)
        glPauseTransformFeedback();
}

/* A program that was deleted while in use is lost when another one is used. */
static glnn_status take_program(glnn__state *state)
{
    state->program = glnn__gl_integer(GL_CURRENT_PROGRAM);
    GLint deleted = GL_FALSE;
    if (state->program)
        glGetProgramiv((GLuint)state->program, GL_DELETE_STATUS, &deleted);
    if (deleted)
        return glnn__fail(
            GLNN_E_STATE,
            "program %d, which is in use in the adopted context, was deleted and would "
            "be lost; call glUseProgram with another program or 0 first",
            state->program);
    pause_feedback(state);
    return GLNN_OK;
}

/* Feedback goes on with the program that it began with, unless the host has ended it. */
static void give_program(const glnn__state *state)
{
    glUseProgram(alive(glIsProgram, state->program));
    if (state->feedback_paused && glnn__gl_integer(GL_TRANSFORM_FEEDBACK_BUFFER_PAUSED))
        glResumeTransformFeedback();
}

static void take_framebuffers(glnn__state *state)
{
    state->draw_framebuffer = glnn__gl_integer(GL_DRAW_FRAMEBUFFER_BINDING);
    state->read_framebuffer = glnn__gl_integer(GL_READ_FRAMEBUFFER_BINDING);
}

static void give_framebuffers(const glnn__state *state)
{
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, alive(glIsFramebuffer, state->draw_framebuffer));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, alive(glIsFramebuffer, state->read_framebuffer));
}

static glnn_status check_buffers(void)
{
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i)
        GLNN__TRY(check_alive("buffer", glIsBuffer, glnn__gl_integer(buffers[i].binding),
                              buffers[i].name, -1));
    return GLNN_OK;
}

static glnn_status take_transfers(glnn__state *state, bool compatibility)
{
    GLNN__TRY(check_buffers());
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i) {
        state->buffers[i] = glnn__gl_integer(buffers[i].binding);
        glBindBuffer(buffers[i].target, 0);
    }
    glnn__settings_take(state->settings, GLNN__SETTINGS_TRANSFERS, compatibility);
    return GLNN_OK;
}

static void give_transfers(glnn__state *state, bool compatibility)
{
    glnn__settings_give(state->settings, GLNN__SETTINGS_TRANSFERS, compatibility);
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i)
        glBindBuffer(buffers[i].target, alive(glIsBuffer, state->buffers[i]));
}

static glnn_status take_unit(glnn__state *state, int i)
{
    glnn__unit_state *unit = &state->units[i];
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    *unit = (glnn__unit_state){
        .texture_2d = glnn__gl_integer(GL_TEXTURE_BINDING_2D),
        .texture_2d_array = glnn__gl_integer(GL_TEXTURE_BINDING_2D_ARRAY),
        .sampler = glnn__gl_integer(GL_SAMPLER_BINDING),
    };
    GLNN__TRY(
        check_alive("texture", glIsTexture, unit->texture_2d, "GL_TEXTURE_2D of texture unit", i));
    GLNN__TRY(check_alive("texture", glIsTexture, unit->texture_2d_array,
                          "GL_TEXTURE_2D_ARRAY of texture unit", i));
    GLNN__TRY(check_alive("sampler", glIsSampler, unit->sampler, "texture unit", i));
    if (unit->sampler)
        glBindSampler((GLuint)i, 0);
    return GLNN_OK;
}

static void give_unit(const glnn__state *state, int i)
{
    const glnn__unit_state *unit = &state->units[i];
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, alive(glIsTexture, unit->texture_2d));
    glBindTexture(GL_TEXTURE_2D_ARRAY, alive(glIsTexture, unit->texture_2d_array));
    glBindSampler((GLuint)i, alive(glIsSampler, unit->sampler));
}

static glnn_status check_image(int i)
{
    GLint name = 0;
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, (GLuint)i, &name);
    return check_alive("texture", glIsTexture, name, "image unit", i);
}

static glnn_status take_image(glnn__state *state, int i)
{
    static const GLenum names[] = {GL_IMAGE_BINDING_NAME,    GL_IMAGE_BINDING_LEVEL,
                                   GL_IMAGE_BINDING_LAYERED, GL_IMAGE_BINDING_LAYER,
                                   GL_IMAGE_BINDING_ACCESS,  GL_IMAGE_BINDING_FORMAT};
    glnn__image_state *image = &state->images[i];
    GLint *const values[] = {&image->name,  &image->level,  &image->layered,
                             &image->layer, &image->access, &image->format};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
        glGetIntegeri_v(names[k], (GLuint)i, values[k]);
    return check_alive("texture", glIsTexture, image->name, "image unit", i);
}

static void give_image(const glnn__state *state, int i)
{
    const glnn__image_state *image = &state->images[i];
    glBindImageTexture((GLuint)i, alive(glIsTexture, image->name), image->level,
                       (GLboolean)(image->layered != 0), image->layer, (GLenum)image->access,
                       (GLenum)image->format);
}

static void take_drawing(const struct glnn__host *host, glnn__state *state)
{
    glnn__settings_take(state->settings, GLNN__SETTINGS_DRAWING, host->is_compatibility);
    glnn__drawing_take(&state->drawing, host->has_clip_control);
}

static void give_drawing(const struct glnn__host *host, glnn__state *state)
{
    glnn__settings_give(state->settings, GLNN__SETTINGS_DRAWING, host->is_compatibility);
    glnn__drawing_give(&state->drawing, host->is_compatibility, host->has_clip_control);
}

/* Takes one part. */
static glnn_status take_part(const struct glnn__host *host, glnn__state *state,
                             glnn__state_parts part)
{
    if (part == GLNN__PART_PROGRAM)
        return take_program(state);
    if (part == GLNN__PART_TRANSFERS)
        return take_transfers(state, host->is_compatibility);
    if (part == GLNN__PART_VERTEX_ARRAY)
        state->vertex_array = glnn__gl_integer(GL_VERTEX_ARRAY_BINDING);
    else if (part == GLNN__PART_FRAMEBUFFERS)
        take_framebuffers(state);
    else if (part == GLNN__PART_DRAWING)
        take_drawing(host, state);
    else
        glnn__blends_take(&state->blends);
    return GLNN_OK;
}

static glnn_status take_indexed(glnn__state *state, int i)
{
    return i < GLNN__TEXTURE_UNITS ? take_unit(state, i)
                                   : take_image(state, i - GLNN__TEXTURE_UNITS);
}

/* The active unit is noted when the first unit is taken. */
static void note_active_unit(struct glnn__host *host, glnn__state_parts parts)
{
    if ((parts & GLNN__PARTS_UNITS) && !(host->taken & GLNN__PARTS_UNITS))
        host->state.active_texture = glnn__gl_integer(GL_ACTIVE_TEXTURE);
}

glnn_status glnn__host_take(struct glnn__host *host, glnn__state_parts parts)
{
    glnn_status status = GLNN_OK;
    parts &= ~host->taken;
    note_active_unit(host, parts);
    for (int i = 0; i < GLNN__PARTS && !status; ++i) {
        const glnn__state_parts part = UINT64_C(1) << i;
        if (!(parts & part))
            continue;
        status = i < GLNN__INDEXED_PARTS ? take_indexed(&host->state, i)
                                         : take_part(host, &host->state, part);
        if (!status)
            host->taken |= part;
    }
    if (parts & GLNN__PARTS_UNITS)
        glActiveTexture((host->taken & GLNN__PARTS_UNITS) ? GL_TEXTURE0
                                                          : (GLenum)host->state.active_texture);
    return status;
}

glnn_status glnn__host_can_take(struct glnn__host *host, glnn__state_parts parts)
{
    parts &= ~(host->taken | host->checked);
    for (int i = 0; i < GLNN__IMAGE_UNITS; ++i)
        if (parts & GLNN__PART_IMAGE(i))
            GLNN__TRY(check_image(i));
    if (parts & GLNN__PART_TRANSFERS)
        GLNN__TRY(check_buffers());
    host->checked |= parts;
    return GLNN_OK;
}

static void give_units(const struct glnn__host *host)
{
    for (int i = 0; i < GLNN__TEXTURE_UNITS; ++i)
        if (host->taken & GLNN__PART_UNIT(i))
            give_unit(&host->state, i);
    if (host->taken & GLNN__PARTS_UNITS)
        glActiveTexture((GLenum)host->state.active_texture);
    for (int i = 0; i < GLNN__IMAGE_UNITS; ++i)
        if (host->taken & GLNN__PART_IMAGE(i))
            give_image(&host->state, i);
}

void glnn__host_give(struct glnn__host *host)
{
    glnn__state *state = &host->state;
    give_units(host);
    if (host->taken & GLNN__PART_TRANSFERS)
        give_transfers(state, host->is_compatibility);
    if (host->taken & GLNN__PART_VERTEX_ARRAY)
        glBindVertexArray(alive(glIsVertexArray, state->vertex_array));
    if (host->taken & GLNN__PART_FRAMEBUFFERS)
        give_framebuffers(state);
    if (host->taken & GLNN__PART_DRAWING)
        give_drawing(host, state);
    if (host->taken & GLNN__PART_BLENDING)
        glnn__blends_give(&state->blends);
    if (host->taken & GLNN__PART_PROGRAM)
        give_program(state);
    host->taken = host->checked = 0;
}

void glnn__gl_set_defaults(void)
{
    struct glnn__host none = {0};
    glnn__host_take(&none, GLNN__PARTS_ALL);
}
