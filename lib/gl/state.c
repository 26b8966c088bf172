#include "gl/host.h"

#include "base/status.h"
#include "gl/settings.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TARGETS = 8 };

typedef struct target_state {
    GLboolean blended;
    GLboolean mask[4];
    GLint source_rgb, source_alpha;
    GLint destination_rgb, destination_alpha;
    GLint equation_rgb, equation_alpha;
} target_state;

typedef struct image_state {
    GLint name, level, layered, layer, access, format;
} image_state;

typedef struct unit_state {
    GLint texture_2d, texture_2d_array, sampler;
} unit_state;

/* Buffers that the library binds, or that change the meaning of a transfer. */
static const struct {
    GLenum target, binding;
    const char *name;
} buffers[] = {
    {GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, "GL_ARRAY_BUFFER"},
    {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, "GL_PIXEL_PACK_BUFFER"},
    {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, "GL_PIXEL_UNPACK_BUFFER"},
};

enum { BUFFERS = sizeof buffers / sizeof *buffers };

struct glnn__saved_state {
    bool feedback_paused; /* by the library */
    GLint program, vertex_array;
    GLint buffers[BUFFERS];
    GLint draw_framebuffer, read_framebuffer;
    GLint active_texture;
    unit_state units[GLNN__TEXTURE_UNITS];
    image_state images[GLNN__IMAGE_UNITS];

    glnn__settings settings;
    GLfloat viewport[4];
    GLboolean scissored;
    target_state targets[MOST_TARGETS];
    GLfloat blend_colour[4];
    GLint polygon_mode[2];
    GLint clip_origin, clip_depth;
};

static GLint get_indexed(GLenum name, GLuint index)
{
    GLint value = 0;
    glGetIntegeri_v(name, index, &value);
    return value;
}

static void set_indexed_toggle(GLenum name, GLuint index, GLboolean on)
{
    if (on)
        glEnablei(name, index);
    else
        glDisablei(name, index);
}

glnn_status glnn__state_create(glnn_context *ctx)
{
    ctx->saved = calloc(1, sizeof *ctx->saved);
    if (!ctx->saved)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the state of the adopted context");
    return GLNN_OK;
}

/* A program that was deleted while in use is lost when another one is used. */
static glnn_status save_program(struct glnn__saved_state *saved)
{
    saved->program = glnn__gl_integer(GL_CURRENT_PROGRAM);
    GLint deleted = GL_FALSE;
    if (saved->program)
        glGetProgramiv((GLuint)saved->program, GL_DELETE_STATUS, &deleted);
    if (deleted)
        return glnn__fail(
            GLNN_E_STATE,
            "program %d, which is in use in the adopted context, was deleted and would "
            "be lost; call glUseProgram with another program or 0 first",
            saved->program);
    return GLNN_OK;
}

/* An object that was deleted in a sharing context stays bound, but cannot be bound again. `unit` is
 * negative if the place has none. */
static glnn_status check_alive(const char *kind, GLboolean(GLAPIENTRY *exists)(GLuint), GLint name,
                               const char *place, int unit)
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

static glnn_status check_objects(const struct glnn__saved_state *saved)
{
    static const char flat[] = "GL_TEXTURE_2D of texture unit";
    static const char array[] = "GL_TEXTURE_2D_ARRAY of texture unit";
    for (int i = 0; i < GLNN__TEXTURE_UNITS; ++i) {
        const unit_state *unit = &saved->units[i];
        GLNN__TRY(check_alive("texture", glIsTexture, unit->texture_2d, flat, i));
        GLNN__TRY(check_alive("texture", glIsTexture, unit->texture_2d_array, array, i));
        GLNN__TRY(check_alive("sampler", glIsSampler, unit->sampler, "texture unit", i));
    }
    for (int i = 0; i < GLNN__IMAGE_UNITS; ++i)
        GLNN__TRY(check_alive("texture", glIsTexture, saved->images[i].name, "image unit", i));
    for (int i = 0; i < BUFFERS; ++i)
        GLNN__TRY(check_alive("buffer", glIsBuffer, saved->buffers[i], buffers[i].name, -1));
    return GLNN_OK;
}

/* The program cannot be changed while transform feedback is active. */
static void pause_feedback(struct glnn__saved_state *saved)
{
    saved->feedback_paused = glnn__gl_integer(GL_TRANSFORM_FEEDBACK_BUFFER_ACTIVE) &&
                             !glnn__gl_integer(GL_TRANSFORM_FEEDBACK_BUFFER_PAUSED);
    if (saved->feedback_paused)
        glPauseTransformFeedback();
}

static void save_units(struct glnn__saved_state *saved)
{
    saved->active_texture = glnn__gl_integer(GL_ACTIVE_TEXTURE);
    for (GLenum i = 0; i < GLNN__TEXTURE_UNITS; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        saved->units[i] = (unit_state){
            .texture_2d = glnn__gl_integer(GL_TEXTURE_BINDING_2D),
            .texture_2d_array = glnn__gl_integer(GL_TEXTURE_BINDING_2D_ARRAY),
            .sampler = glnn__gl_integer(GL_SAMPLER_BINDING),
        };
    }
    glActiveTexture((GLenum)saved->active_texture);
}

static void save_images(struct glnn__saved_state *saved)
{
    for (GLuint i = 0; i < GLNN__IMAGE_UNITS; ++i)
        saved->images[i] = (image_state){
            .name = get_indexed(GL_IMAGE_BINDING_NAME, i),
            .level = get_indexed(GL_IMAGE_BINDING_LEVEL, i),
            .layered = get_indexed(GL_IMAGE_BINDING_LAYERED, i),
            .layer = get_indexed(GL_IMAGE_BINDING_LAYER, i),
            .access = get_indexed(GL_IMAGE_BINDING_ACCESS, i),
            .format = get_indexed(GL_IMAGE_BINDING_FORMAT, i),
        };
}

static void restore_images(const struct glnn__saved_state *saved)
{
    for (GLuint i = 0; i < GLNN__IMAGE_UNITS; ++i) {
        const image_state *image = &saved->images[i];
        glBindImageTexture(i, (GLuint)image->name, image->level, (GLboolean)(image->layered != 0),
                           image->layer, (GLenum)image->access, (GLenum)image->format);
    }
}

static void restore_units(const struct glnn__saved_state *saved)
{
    for (GLenum i = 0; i < GLNN__TEXTURE_UNITS; ++i) {
        const unit_state *unit = &saved->units[i];
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, (GLuint)unit->texture_2d);
        glBindTexture(GL_TEXTURE_2D_ARRAY, (GLuint)unit->texture_2d_array);
        glBindSampler(i, (GLuint)unit->sampler);
    }
    glActiveTexture((GLenum)saved->active_texture);
}

static void save_bindings(struct glnn__saved_state *saved)
{
    saved->vertex_array = glnn__gl_integer(GL_VERTEX_ARRAY_BINDING);
    for (int i = 0; i < BUFFERS; ++i)
        saved->buffers[i] = glnn__gl_integer(buffers[i].binding);
    saved->draw_framebuffer = glnn__gl_integer(GL_DRAW_FRAMEBUFFER_BINDING);
    saved->read_framebuffer = glnn__gl_integer(GL_READ_FRAMEBUFFER_BINDING);
}

static void restore_bindings(const struct glnn__saved_state *saved)
{
    glUseProgram((GLuint)saved->program);
    glBindVertexArray((GLuint)saved->vertex_array);
    for (int i = 0; i < BUFFERS; ++i)
        glBindBuffer(buffers[i].target, (GLuint)saved->buffers[i]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)saved->draw_framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)saved->read_framebuffer);
}

/* Passes use viewport 0 only. */
static void save_viewport(struct glnn__saved_state *saved)
{
    glGetFloati_v(GL_VIEWPORT, 0, saved->viewport);
    saved->scissored = glIsEnabledi(GL_SCISSOR_TEST, 0);
}

static void restore_viewport(const struct glnn__saved_state *saved)
{
    glViewportIndexedfv(0, saved->viewport);
    set_indexed_toggle(GL_SCISSOR_TEST, 0, saved->scissored);
}

static void save_targets(struct glnn__saved_state *saved)
{
    for (GLuint i = 0; i < MOST_TARGETS; ++i) {
        target_state *target = &saved->targets[i];
        *target = (target_state){
            .blended = glIsEnabledi(GL_BLEND, i),
            .source_rgb = get_indexed(GL_BLEND_SRC_RGB, i),
            .source_alpha = get_indexed(GL_BLEND_SRC_ALPHA, i),
            .destination_rgb = get_indexed(GL_BLEND_DST_RGB, i),
            .destination_alpha = get_indexed(GL_BLEND_DST_ALPHA, i),
            .equation_rgb = get_indexed(GL_BLEND_EQUATION_RGB, i),
            .equation_alpha = get_indexed(GL_BLEND_EQUATION_ALPHA, i),
        };
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, target->mask);
    }
    glGetFloatv(GL_BLEND_COLOR, saved->blend_colour);
}

static void restore_targets(const struct glnn__saved_state *saved)
{
    for (GLuint i = 0; i < MOST_TARGETS; ++i) {
        const target_state *target = &saved->targets[i];
        set_indexed_toggle(GL_BLEND, i, target->blended);
        glBlendFuncSeparatei(i, (GLenum)target->source_rgb, (GLenum)target->destination_rgb,
                             (GLenum)target->source_alpha, (GLenum)target->destination_alpha);
        glBlendEquationSeparatei(i, (GLenum)target->equation_rgb, (GLenum)target->equation_alpha);
        glColorMaski(i, target->mask[0], target->mask[1], target->mask[2], target->mask[3]);
    }
    const GLfloat *colour = saved->blend_colour;
    glBlendColor(colour[0], colour[1], colour[2], colour[3]);
}

static void save_polygons(const glnn_context *ctx, struct glnn__saved_state *saved)
{
    glGetIntegerv(GL_POLYGON_MODE, saved->polygon_mode);
    if (ctx->host.has_clip_control) {
        saved->clip_origin = glnn__gl_integer(GL_CLIP_ORIGIN);
        saved->clip_depth = glnn__gl_integer(GL_CLIP_DEPTH_MODE);
    }
}

static void restore_polygons(const glnn_context *ctx, const struct glnn__saved_state *saved)
{
    /* Core profiles have one mode for both faces. */
    if (ctx->host.is_compatibility) {
        glPolygonMode(GL_FRONT, (GLenum)saved->polygon_mode[0]);
        glPolygonMode(GL_BACK, (GLenum)saved->polygon_mode[1]);
    } else {
        glPolygonMode(GL_FRONT_AND_BACK, (GLenum)saved->polygon_mode[0]);
    }
    if (ctx->host.has_clip_control)
        glClipControl((GLenum)saved->clip_origin, (GLenum)saved->clip_depth);
}

glnn_status glnn__state_save(glnn_context *ctx)
{
    struct glnn__saved_state *saved = ctx->saved;
    GLNN__TRY(save_program(saved));
    save_units(saved);
    save_images(saved);
    save_bindings(saved);
    GLNN__TRY(check_objects(saved));
    pause_feedback(saved);
    glnn__settings_save(saved->settings, ctx->host.is_compatibility);
    save_viewport(saved);
    save_targets(saved);
    save_polygons(ctx, saved);
    return GLNN_OK;
}

void glnn__state_restore(glnn_context *ctx)
{
    struct glnn__saved_state *saved = ctx->saved;
    restore_units(saved);
    restore_images(saved);
    restore_bindings(saved);
    glnn__settings_restore(saved->settings, ctx->host.is_compatibility);
    restore_viewport(saved);
    restore_targets(saved);
    restore_polygons(ctx, saved);
    /* Only now is the program that feedback began with in use again. */
    if (saved->feedback_paused)
        glResumeTransformFeedback();
}

void glnn__gl_set_defaults(glnn_context *ctx)
{
    glnn__settings_restore(NULL, ctx->host.is_compatibility);
    glDisablei(GL_SCISSOR_TEST, 0);
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    if (ctx->host.has_clip_control)
        glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    for (GLuint i = 0; i < GLNN__TEXTURE_UNITS; ++i)
        glBindSampler(i, 0);
    glActiveTexture(GL_TEXTURE0);
    for (int i = 0; i < BUFFERS; ++i)
        glBindBuffer(buffers[i].target, 0);
}
