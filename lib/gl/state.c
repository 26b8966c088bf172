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
static glnn_status note_program(glnn__state *state)
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
    const bool is_one = state->draw_framebuffer == state->read_framebuffer;
    glBindFramebuffer(is_one ? GL_FRAMEBUFFER : GL_DRAW_FRAMEBUFFER,
                      alive(glIsFramebuffer, state->draw_framebuffer));
    if (!is_one)
        glBindFramebuffer(GL_READ_FRAMEBUFFER, alive(glIsFramebuffer, state->read_framebuffer));
}

static glnn_status note_buffers(glnn__state *state)
{
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i) {
        state->buffers[i] = glnn__gl_integer(buffers[i].binding);
        GLNN__TRY(check_alive("buffer", glIsBuffer, state->buffers[i], buffers[i].name, -1));
    }
    return GLNN_OK;
}

static void take_transfers(glnn__state *state, bool compatibility)
{
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i)
        if (state->buffers[i])
            glBindBuffer(buffers[i].target, 0);
    glnn__settings_take(state->settings, GLNN__SETTINGS_TRANSFERS, compatibility);
}

/* No transfer leaves a buffer bound. */
static void give_transfers(glnn__state *state, bool compatibility)
{
    glnn__settings_give(state->settings, GLNN__SETTINGS_TRANSFERS, compatibility);
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i)
        if (state->buffers[i])
            glBindBuffer(buffers[i].target, alive(glIsBuffer, state->buffers[i]));
}

static glnn_status note_unit(glnn__state *state, int i)
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
    return check_alive("sampler", glIsSampler, unit->sampler, "texture unit", i);
}

static void take_unit(const glnn__state *state, int i)
{
    if (state->units[i].sampler)
        glBindSampler((GLuint)i, 0);
}

static void give_unit(const glnn__state *state, int i, bool is_sampled)
{
    const glnn__unit_state *unit = &state->units[i];
    glActiveTexture(GL_TEXTURE0 + (GLenum)i);
    glBindTexture(GL_TEXTURE_2D, alive(glIsTexture, unit->texture_2d));
    glBindTexture(GL_TEXTURE_2D_ARRAY, alive(glIsTexture, unit->texture_2d_array));
    if (is_sampled || unit->sampler)
        glBindSampler((GLuint)i, alive(glIsSampler, unit->sampler));
}

static glnn_status note_image(glnn__state *state, int i)
{
    GLint *name = &state->images[i].name;
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, (GLuint)i, name);
    return check_alive("texture", glIsTexture, *name, "image unit", i);
}

static void take_image(glnn__state *state, int i)
{
    static const GLenum names[] = {GL_IMAGE_BINDING_LEVEL, GL_IMAGE_BINDING_LAYERED,
                                   GL_IMAGE_BINDING_LAYER, GL_IMAGE_BINDING_ACCESS,
                                   GL_IMAGE_BINDING_FORMAT};
    glnn__image_state *image = &state->images[i];
    GLint *const values[] = {&image->level, &image->layered, &image->layer, &image->access,
                             &image->format};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
        glGetIntegeri_v(names[k], (GLuint)i, values[k]);
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
    glnn__targets_take(state->targets, GLNN__FIRST_TARGET);
}

static void give_drawing(const struct glnn__host *host, glnn__state *state)
{
    glnn__settings_give(state->settings, GLNN__SETTINGS_DRAWING, host->is_compatibility);
    glnn__drawing_give(&state->drawing, host->is_compatibility, host->has_clip_control);
    glnn__targets_give(state->targets, GLNN__FIRST_TARGET);
}

/* Fails if part `i` could not be given back. */
static glnn_status note_part(glnn__state *state, int i)
{
    const glnn__state_parts part = UINT64_C(1) << i;
    if (i < GLNN__TEXTURE_UNITS)
        return note_unit(state, i);
    if (i < GLNN__INDEXED_PARTS)
        return note_image(state, i - GLNN__TEXTURE_UNITS);
    if (part == GLNN__PART_PROGRAM)
        return note_program(state);
    return part == GLNN__PART_TRANSFERS ? note_buffers(state) : GLNN_OK;
}

/* Takes part `i`, which was noted. */
static void take_part(const struct glnn__host *host, glnn__state *state, int i)
{
    const glnn__state_parts part = UINT64_C(1) << i;
    if (i < GLNN__TEXTURE_UNITS)
        take_unit(state, i);
    else if (i < GLNN__INDEXED_PARTS)
        take_image(state, i - GLNN__TEXTURE_UNITS);
    else if (part == GLNN__PART_PROGRAM)
        pause_feedback(state);
    else if (part == GLNN__PART_TRANSFERS)
        take_transfers(state, host->is_compatibility);
    else if (part == GLNN__PART_VERTEX_ARRAY)
        state->vertex_array = glnn__gl_integer(GL_VERTEX_ARRAY_BINDING);
    else if (part == GLNN__PART_FRAMEBUFFERS)
        take_framebuffers(state);
    else if (part == GLNN__PART_DRAWING)
        take_drawing(host, state);
    else if (part == GLNN__PART_TARGETS)
        glnn__targets_take(state->targets, GLNN__OTHER_TARGETS);
    else if (part == GLNN__PART_BLENDING)
        glnn__blends_take(&state->blends, GLNN__FIRST_TARGET);
    else
        glnn__blends_take(&state->blends, GLNN__OTHER_TARGETS);
}

/* Notes the active unit with the first units, and leaves the first one active if units were taken.
 * The others restore it. */
glnn_status glnn__host_note(struct glnn__host *host, glnn__state_parts parts)
{
    glnn_status status = GLNN_OK;
    parts &= ~host->noted;
    if ((parts & GLNN__PARTS_UNITS) && !(host->noted & GLNN__PARTS_UNITS))
        host->state.active_texture = glnn__gl_integer(GL_ACTIVE_TEXTURE);
    for (int i = 0; i < GLNN__PARTS && !status; ++i) {
        const glnn__state_parts part = UINT64_C(1) << i;
        if (!(parts & part))
            continue;
        status = note_part(&host->state, i);
        if (!status)
            host->noted |= part;
    }
    if (parts & GLNN__PARTS_UNITS)
        glActiveTexture((host->taken & GLNN__PARTS_UNITS) ? GL_TEXTURE0
                                                          : (GLenum)host->state.active_texture);
    return status;
}

glnn_status glnn__host_take(struct glnn__host *host, glnn__state_parts parts)
{
    parts &= ~host->taken;
    GLNN__TRY(glnn__host_note(host, parts));
    for (int i = 0; i < GLNN__PARTS; ++i)
        if (parts >> i & 1)
            take_part(host, &host->state, i);
    host->taken |= parts;
    if (parts & GLNN__PARTS_UNITS)
        glActiveTexture(GL_TEXTURE0);
    return GLNN_OK;
}

static void give_units(const struct glnn__host *host)
{
    for (int i = 0; i < GLNN__TEXTURE_UNITS; ++i)
        if (host->taken & GLNN__PART_UNIT(i))
            give_unit(&host->state, i, host->sampled >> i & 1);
    if (host->taken & GLNN__PARTS_UNITS)
        glActiveTexture((GLenum)host->state.active_texture);
    for (int i = 0; i < GLNN__IMAGE_UNITS; ++i)
        if (host->taken & GLNN__PART_IMAGE(i))
            give_image(&host->state, i);
}

static void give_targets(struct glnn__host *host)
{
    glnn__state *state = &host->state;
    if (host->taken & GLNN__PART_TARGETS_BLENDING)
        glnn__blends_give(&state->blends, GLNN__OTHER_TARGETS);
    if (host->taken & GLNN__PART_BLENDING)
        glnn__blends_give(&state->blends, GLNN__FIRST_TARGET);
    if (host->taken & GLNN__PART_DRAWING)
        give_drawing(host, state);
    if (host->taken & GLNN__PART_TARGETS)
        glnn__targets_give(state->targets, GLNN__OTHER_TARGETS);
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
    give_targets(host);
    if (host->taken & GLNN__PART_PROGRAM)
        give_program(state);
    host->taken = host->noted = host->sampled = 0;
}

void glnn__gl_set_defaults(void)
{
    struct glnn__host none = {0};
    glnn__host_take(&none, GLNN__PARTS_ALL);
}
