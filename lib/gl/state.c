#include "gl/state.h"

#include "base/status.h"
#include "gl/limits.h"
#include "gl/pixels.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_VIEWPORTS = 16, MOST_TARGETS = 8 };

/* State that could stop a pass from writing fragments, or change their values. */
static const GLenum toggles[] = {
    GL_DEPTH_TEST,       GL_STENCIL_TEST,        GL_CULL_FACE,          GL_DITHER,
    GL_COLOR_LOGIC_OP,   GL_RASTERIZER_DISCARD,  GL_MULTISAMPLE,        GL_SAMPLE_MASK,
    GL_SAMPLE_COVERAGE,  GL_SAMPLE_SHADING,      GL_POLYGON_SMOOTH,     GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_FRAMEBUFFER_SRGB, GL_SAMPLE_ALPHA_TO_ONE, GL_PRIMITIVE_RESTART,  GL_CLIP_DISTANCE0,
    GL_CLIP_DISTANCE1,   GL_CLIP_DISTANCE2,      GL_CLIP_DISTANCE3,     GL_CLIP_DISTANCE4,
    GL_CLIP_DISTANCE5,   GL_CLIP_DISTANCE0 + 6,  GL_CLIP_DISTANCE0 + 7,
};

/* The same, in compatibility profiles alone. */
static const GLenum old_toggles[] = {GL_ALPHA_TEST, GL_POLYGON_STIPPLE};

enum {
    TOGGLES = sizeof toggles / sizeof *toggles,
    OLD_TOGGLES = sizeof old_toggles / sizeof *old_toggles
};

typedef struct viewport_state {
    GLfloat rectangle[4];
    GLint scissor_box[4];
    GLboolean scissored;
} viewport_state;

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

struct glnn__saved_state {
    bool compatibility;    /* the profile, asked for once */
    bool has_clip_control; /* OpenGL 4.5 or the extension */

    bool feedback_paused; /* by us */
    GLint program, vertex_array, array_buffer;
    GLint draw_framebuffer, read_framebuffer;
    GLint active_texture;
    unit_state units[GLNN__TEXTURE_UNITS];
    image_state images[GLNN__IMAGE_UNITS];

    GLboolean toggles[TOGGLES];
    GLboolean old_toggles[OLD_TOGGLES];
    viewport_state viewports[MOST_VIEWPORTS];
    target_state targets[MOST_TARGETS];
    GLfloat blend_colour[4];
    GLint polygon_mode[2];
    GLint clip_origin, clip_depth;
    glnn__pixels pixels;
};

static GLint get_indexed(GLenum name, GLuint index)
{
    GLint value = 0;
    glGetIntegeri_v(name, index, &value);
    return value;
}

static void set_toggle(GLenum name, GLboolean on)
{
    if (on)
        glEnable(name);
    else
        glDisable(name);
}

static void set_indexed_toggle(GLenum name, GLuint index, GLboolean on)
{
    if (on)
        glEnablei(name, index);
    else
        glDisablei(name, index);
}

static bool has_clip_control(void)
{
    GLint version = 10 * glnn__gl_integer(GL_MAJOR_VERSION) + glnn__gl_integer(GL_MINOR_VERSION);
    return glClipControl && (version >= 45 || glnn__gl_has_extension("GL_ARB_clip_control"));
}

glnn_status glnn__state_create(glnn_context *ctx)
{
    ctx->saved = calloc(1, sizeof *ctx->saved);
    if (!ctx->saved)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the state of the adopted context");
    ctx->saved->compatibility = glnn__gl_is_compatibility();
    ctx->saved->has_clip_control = has_clip_control();
    return GLNN_OK;
}

void glnn__state_destroy(glnn_context *ctx)
{
    free(ctx->saved);
    ctx->saved = NULL;
}

/* A program that was deleted while in use goes away with its last use. */
static glnn_status save_program(struct glnn__saved_state *saved)
{
    saved->program = glnn__gl_integer(GL_CURRENT_PROGRAM);
    GLint deleted = GL_FALSE;
    if (saved->program)
        glGetProgramiv((GLuint)saved->program, GL_DELETE_STATUS, &deleted);
    if (deleted)
        return glnn__fail(GLNN_E_STATE,
                          "program %d, which is in use in the adopted context, has been deleted "
                          "and would be lost: call glUseProgram for another one or none before",
                          saved->program);
    return GLNN_OK;
}

/* An object that was deleted in a sharing context stays bound, but cannot be bound again. A `unit`
 * below 0 is none. */
static glnn_status check_alive(const char *kind, GLint name, GLboolean alive, const char *place,
                               int unit)
{
    char number[16] = "";
    if (!name || alive)
        return GLNN_OK;
    if (unit >= 0)
        snprintf(number, sizeof number, " %d", unit);
    return glnn__fail(GLNN_E_STATE,
                      "%s %d, which is bound to %s%s in the adopted context, has been deleted in a "
                      "context that shares it and would be lost: bind another one or none before",
                      kind, name, place, number);
}

static glnn_status check_texture(GLint name, const char *place, int unit)
{
    return check_alive("texture", name, name && glIsTexture((GLuint)name), place, unit);
}

static glnn_status check_buffer(GLint name, const char *place)
{
    return check_alive("buffer", name, name && glIsBuffer((GLuint)name), place, -1);
}

static glnn_status check_objects(const struct glnn__saved_state *saved)
{
    for (int i = 0; i < GLNN__TEXTURE_UNITS; ++i) {
        const unit_state *unit = &saved->units[i];
        const GLint sampler = unit->sampler;
        GLNN__TRY(check_texture(unit->texture_2d, "GL_TEXTURE_2D of texture unit", i));
        GLNN__TRY(check_texture(unit->texture_2d_array, "GL_TEXTURE_2D_ARRAY of texture unit", i));
        GLNN__TRY(check_alive("sampler", sampler, sampler && glIsSampler((GLuint)sampler),
                              "texture unit", i));
    }
    for (int i = 0; i < GLNN__IMAGE_UNITS; ++i)
        GLNN__TRY(check_texture(saved->images[i].name, "image unit", i));
    GLNN__TRY(check_buffer(saved->array_buffer, "GL_ARRAY_BUFFER"));
    GLNN__TRY(check_buffer(saved->pixels.pack_buffer, "GL_PIXEL_PACK_BUFFER"));
    return check_buffer(saved->pixels.unpack_buffer, "GL_PIXEL_UNPACK_BUFFER");
}

/* No other program can be used while transform feedback runs. */
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
    saved->array_buffer = glnn__gl_integer(GL_ARRAY_BUFFER_BINDING);
    saved->draw_framebuffer = glnn__gl_integer(GL_DRAW_FRAMEBUFFER_BINDING);
    saved->read_framebuffer = glnn__gl_integer(GL_READ_FRAMEBUFFER_BINDING);
}

static void restore_bindings(const struct glnn__saved_state *saved)
{
    glUseProgram((GLuint)saved->program);
    glBindVertexArray((GLuint)saved->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, (GLuint)saved->array_buffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)saved->draw_framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)saved->read_framebuffer);
}

static void save_toggles(struct glnn__saved_state *saved)
{
    for (int i = 0; i < TOGGLES; ++i)
        saved->toggles[i] = glIsEnabled(toggles[i]);
    for (int i = 0; saved->compatibility && i < OLD_TOGGLES; ++i)
        saved->old_toggles[i] = glIsEnabled(old_toggles[i]);
}

static void restore_toggles(const struct glnn__saved_state *saved)
{
    for (int i = 0; i < TOGGLES; ++i)
        set_toggle(toggles[i], saved->toggles[i]);
    for (int i = 0; saved->compatibility && i < OLD_TOGGLES; ++i)
        set_toggle(old_toggles[i], saved->old_toggles[i]);
}

/* glViewport, glScissor and their toggle change all viewports at once. */
static void save_viewports(struct glnn__saved_state *saved)
{
    for (GLuint i = 0; i < MOST_VIEWPORTS; ++i) {
        viewport_state *viewport = &saved->viewports[i];
        glGetFloati_v(GL_VIEWPORT, i, viewport->rectangle);
        glGetIntegeri_v(GL_SCISSOR_BOX, i, viewport->scissor_box);
        viewport->scissored = glIsEnabledi(GL_SCISSOR_TEST, i);
    }
}

static void restore_viewports(const struct glnn__saved_state *saved)
{
    for (GLuint i = 0; i < MOST_VIEWPORTS; ++i) {
        const viewport_state *viewport = &saved->viewports[i];
        glViewportIndexedfv(i, viewport->rectangle);
        glScissorIndexedv(i, viewport->scissor_box);
        set_indexed_toggle(GL_SCISSOR_TEST, i, viewport->scissored);
    }
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

static void save_polygons(struct glnn__saved_state *saved)
{
    glGetIntegerv(GL_POLYGON_MODE, saved->polygon_mode);
    if (saved->has_clip_control) {
        saved->clip_origin = glnn__gl_integer(GL_CLIP_ORIGIN);
        saved->clip_depth = glnn__gl_integer(GL_CLIP_DEPTH_MODE);
    }
}

static void restore_polygons(const struct glnn__saved_state *saved)
{
    /* Core profiles have one mode for both faces. */
    if (saved->compatibility) {
        glPolygonMode(GL_FRONT, (GLenum)saved->polygon_mode[0]);
        glPolygonMode(GL_BACK, (GLenum)saved->polygon_mode[1]);
    } else {
        glPolygonMode(GL_FRONT_AND_BACK, (GLenum)saved->polygon_mode[0]);
    }
    if (saved->has_clip_control)
        glClipControl((GLenum)saved->clip_origin, (GLenum)saved->clip_depth);
}

glnn_status glnn__state_save(glnn_context *ctx)
{
    struct glnn__saved_state *saved = ctx->saved;
    GLNN__TRY(save_program(saved));
    save_units(saved);
    save_images(saved);
    save_bindings(saved);
    glnn__pixels_save(&saved->pixels, saved->compatibility);
    GLNN__TRY(check_objects(saved));
    pause_feedback(saved);
    save_toggles(saved);
    save_viewports(saved);
    save_targets(saved);
    save_polygons(saved);
    return GLNN_OK;
}

void glnn__state_restore(glnn_context *ctx)
{
    const struct glnn__saved_state *saved = ctx->saved;
    restore_units(saved);
    restore_images(saved);
    restore_bindings(saved);
    restore_toggles(saved);
    restore_viewports(saved);
    restore_targets(saved);
    restore_polygons(saved);
    glnn__pixels_restore(&saved->pixels, saved->compatibility);
    /* The program that feedback began with is in use again only now. */
    if (saved->feedback_paused)
        glResumeTransformFeedback();
}

void glnn__gl_set_defaults(glnn_context *ctx)
{
    for (int i = 0; i < TOGGLES; ++i)
        glDisable(toggles[i]);
    for (int i = 0; ctx->saved && ctx->saved->compatibility && i < OLD_TOGGLES; ++i)
        glDisable(old_toggles[i]);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    if (ctx->saved && ctx->saved->has_clip_control)
        glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    for (GLuint i = 0; i < GLNN__TEXTURE_UNITS; ++i)
        glBindSampler(i, 0);
    glActiveTexture(GL_TEXTURE0);
    glnn__pixels_set_defaults(ctx->saved && ctx->saved->compatibility);
}
