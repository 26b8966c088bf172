#include "gl/host.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* ---- Settings: take notes those of a use, and gives those that differ the value that the library
 * needs. No setting drops or changes fragments, and pixels are packed without gaps and keep their
 * values. Give sets those again that take has changed. Both skip the settings that the context does
 * not have. */

/* The commands that a setting has an effect on. */
typedef enum setting_use { SETTINGS_DRAWING, SETTINGS_TRANSFERS } setting_use;

typedef struct setting_group {
    enum { TOGGLES, STORES, CLAMPS, TRANSFERS } kind;
    setting_use use;
    unsigned offer;                     /* of the contexts that have it; 0: all have it */
    GLfloat standard;                   /* the value that passes and transfers need */
    GLenum names[GLNN__GROUP_SETTINGS]; /* up to the first 0 */
} setting_group;

static const setting_group groups[GLNN__SETTING_GROUPS] = {
    {TOGGLES,
     SETTINGS_DRAWING,
     0,
     0,
     {GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_DITHER, GL_RASTERIZER_DISCARD,
      GL_SAMPLE_COVERAGE, GL_SAMPLE_ALPHA_TO_COVERAGE}},
    {TOGGLES, SETTINGS_DRAWING, GLNN__OFFERS_IMAGE_UNITS, 0, {GL_SAMPLE_MASK}},
    {TOGGLES,
     SETTINGS_DRAWING,
     GLNN__OFFERS_DESKTOP_STATE,
     0,
     {GL_COLOR_LOGIC_OP, GL_POLYGON_SMOOTH, GL_PRIMITIVE_RESTART}},
    {TOGGLES,
     SETTINGS_DRAWING,
     GLNN__OFFERS_MULTISAMPLING,
     0,
     {GL_MULTISAMPLE, GL_SAMPLE_ALPHA_TO_ONE}},
    {TOGGLES, SETTINGS_DRAWING, GLNN__OFFERS_SAMPLE_SHADING, 0, {GL_SAMPLE_SHADING}},
    {TOGGLES, SETTINGS_DRAWING, GLNN__OFFERS_SRGB_WRITES, 0, {GL_FRAMEBUFFER_SRGB}},
    {TOGGLES,
     SETTINGS_DRAWING,
     GLNN__OFFERS_CLIP_DISTANCES,
     0,
     {GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE1, GL_CLIP_DISTANCE2, GL_CLIP_DISTANCE3, GL_CLIP_DISTANCE4,
      GL_CLIP_DISTANCE5, GL_CLIP_DISTANCE0 + 6, GL_CLIP_DISTANCE0 + 7}},
    {TOGGLES, SETTINGS_DRAWING, GLNN__OFFERS_OLD_STATE, 0, {GL_ALPHA_TEST, GL_POLYGON_STIPPLE}},
    {CLAMPS, SETTINGS_DRAWING, GLNN__OFFERS_OLD_STATE, GL_FALSE, {GL_CLAMP_FRAGMENT_COLOR}},
    {STORES,
     SETTINGS_TRANSFERS,
     0,
     0,
     {GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS, GL_UNPACK_ROW_LENGTH,
      GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES}},
    {STORES,
     SETTINGS_TRANSFERS,
     GLNN__OFFERS_DESKTOP_STATE,
     0,
     {GL_PACK_SWAP_BYTES, GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES, GL_UNPACK_SWAP_BYTES}},
    {STORES, SETTINGS_TRANSFERS, GLNN__OFFERS_REVERSED_ROWS, 0, {GL_PACK_REVERSE_ROW_ORDER_ANGLE}},
    {STORES, SETTINGS_TRANSFERS, 0, 1, {GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT}},
    {CLAMPS, SETTINGS_TRANSFERS, GLNN__OFFERS_DESKTOP_STATE, GL_FIXED_ONLY, {GL_CLAMP_READ_COLOR}},
    {TRANSFERS,
     SETTINGS_TRANSFERS,
     GLNN__OFFERS_OLD_STATE,
     0,
     {GL_MAP_COLOR, GL_MAP_STENCIL, GL_RED_BIAS, GL_GREEN_BIAS, GL_BLUE_BIAS, GL_ALPHA_BIAS}},
    {TRANSFERS,
     SETTINGS_TRANSFERS,
     GLNN__OFFERS_OLD_STATE,
     1,
     {GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE}},
};

static double get_setting(const setting_group *g, GLenum name)
{
    GLfloat value = 0;
    if (g->kind == TOGGLES)
        return glIsEnabled(name);
    if (g->kind != TRANSFERS)
        return glnn__gl_integer(name);
    glGetFloatv(name, &value);
    return (double)value;
}

static void set_setting(const setting_group *g, GLenum name, double value)
{
    if (g->kind == STORES)
        glPixelStorei(name, (GLint)value);
    else if (g->kind == CLAMPS)
        glClampColor(name, (GLenum)value);
    else if (g->kind == TRANSFERS)
        glPixelTransferf(name, (GLfloat)value);
    else if (value != 0)
        glEnable(name);
    else
        glDisable(name);
}

/* The group with this number, or NULL if it has another use or the context does not have it. */
static const setting_group *find_group(int number, setting_use use, unsigned offers)
{
    const setting_group *g = &groups[number];
    return g->use != use || (g->offer && !(g->offer & offers)) ? NULL : g;
}

static void take_settings(glnn__settings values, setting_use use, unsigned offers)
{
    for (int i = 0; i < GLNN__SETTING_GROUPS; ++i) {
        const setting_group *g = find_group(i, use, offers);
        for (int j = 0; g && j < GLNN__GROUP_SETTINGS && g->names[j]; ++j) {
            values[i][j] = get_setting(g, g->names[j]);
            if (values[i][j] != (double)g->standard)
                set_setting(g, g->names[j], (double)g->standard);
        }
    }
}

static void give_settings(glnn__settings values, setting_use use, unsigned offers)
{
    for (int i = 0; i < GLNN__SETTING_GROUPS; ++i) {
        const setting_group *g = find_group(i, use, offers);
        for (int j = 0; g && j < GLNN__GROUP_SETTINGS && g->names[j]; ++j)
            if (values[i][j] != (double)g->standard)
                set_setting(g, g->names[j], values[i][j]);
    }
}

/* ---- Fixed functions of draws: take notes the state and sets what differs from the defaults, so
 * that nothing is dropped. Give restores it. */

/* The targets that a function is about. Most draws write the first one only. */
typedef enum target_group { FIRST_TARGET, OTHER_TARGETS } target_group;

/* OpenGL ES without arrays of viewports has one, and one scissor test. */
static void take_viewport(glnn__drawing *state, unsigned offers)
{
    if (!(offers & GLNN__OFFERS_DESKTOP_STATE)) {
        glGetFloatv(GL_VIEWPORT, state->viewport);
        state->scissored = glIsEnabled(GL_SCISSOR_TEST);
        if (state->scissored)
            glDisable(GL_SCISSOR_TEST);
        return;
    }
    glGetFloati_v(GL_VIEWPORT, 0, state->viewport);
    state->scissored = glIsEnabledi(GL_SCISSOR_TEST, 0);
    if (state->scissored)
        glDisablei(GL_SCISSOR_TEST, 0);
}

/* In a host's context only viewport 0 is restored. */
static void set_viewport(const GLfloat viewport[4], unsigned offers)
{
    if (offers & GLNN__OFFERS_DESKTOP_STATE)
        glViewportIndexedfv(0, viewport);
    else
        glViewport((GLint)viewport[0], (GLint)viewport[1], (GLsizei)viewport[2],
                   (GLsizei)viewport[3]);
}

static void give_viewport(const glnn__drawing *state, unsigned offers)
{
    set_viewport(state->viewport, offers);
    if (!state->scissored)
        return;
    if (offers & GLNN__OFFERS_DESKTOP_STATE)
        glEnablei(GL_SCISSOR_TEST, 0);
    else
        glEnable(GL_SCISSOR_TEST);
}

void glnn__gl_set_viewport(const glnn_context *ctx, const GLfloat viewport[4])
{
    set_viewport(viewport, ctx->offers);
}

static bool is_filled(const glnn__drawing *state)
{
    return state->polygon_mode[0] == GL_FILL && state->polygon_mode[1] == GL_FILL;
}

static bool is_clipped_usually(const glnn__drawing *state)
{
    return state->clip_origin == GL_LOWER_LEFT && state->clip_depth == GL_NEGATIVE_ONE_TO_ONE;
}

/* Core profiles have one mode for both faces, and some drivers report no second one. */
static void take_polygons(glnn__drawing *state)
{
    state->polygon_mode[1] = GL_FILL;
    glGetIntegerv(GL_POLYGON_MODE, state->polygon_mode);
    if (!is_filled(state))
        glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void give_polygons(const glnn__drawing *state, bool compatibility)
{
    if (is_filled(state))
        return;
    if (compatibility) {
        glPolygonMode(GL_FRONT, (GLenum)state->polygon_mode[0]);
        glPolygonMode(GL_BACK, (GLenum)state->polygon_mode[1]);
    } else {
        glPolygonMode(GL_FRONT_AND_BACK, (GLenum)state->polygon_mode[0]);
    }
}

static void set_clipping(GLenum origin, GLenum depth, unsigned offers)
{
    if (offers & GLNN__OFFERS_CLIP_CONTROL)
        glClipControl(origin, depth);
    else
        glClipControlEXT(origin, depth);
}

static void take_clipping(glnn__drawing *state, unsigned offers)
{
    glGetIntegerv(GL_CLIP_ORIGIN, &state->clip_origin);
    glGetIntegerv(GL_CLIP_DEPTH_MODE, &state->clip_depth);
    if (!is_clipped_usually(state))
        set_clipping(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE, offers);
}

static void give_clipping(const glnn__drawing *state, unsigned offers)
{
    if (!is_clipped_usually(state))
        set_clipping((GLenum)state->clip_origin, (GLenum)state->clip_depth, offers);
}

/* A driver can drop fragments outside of the box, which the library's triangle covers. */
static const GLfloat usual_box[GLNN__BOX_NUMBERS] = {-1, -1, -1, 1, 1, 1, 1, 1};

static bool has_usual_box(const glnn__drawing *state)
{
    return memcmp(state->bounding_box, usual_box, sizeof usual_box) == 0;
}

static void set_box(const GLfloat box[GLNN__BOX_NUMBERS])
{
    glPrimitiveBoundingBoxEXT(box[0], box[1], box[2], box[3], box[4], box[5], box[6], box[7]);
}

static void take_box(glnn__drawing *state)
{
    glGetFloatv(GL_PRIMITIVE_BOUNDING_BOX_EXT, state->bounding_box);
    if (!has_usual_box(state))
        set_box(usual_box);
}

static void give_box(const glnn__drawing *state)
{
    if (!has_usual_box(state))
        set_box(state->bounding_box);
}

#define CLIP_CONTROLS (GLNN__OFFERS_CLIP_CONTROL | GLNN__OFFERS_CLIP_CONTROL_EXT)

static void take_fixed(glnn__drawing *state, unsigned offers)
{
    take_viewport(state, offers);
    if (offers & GLNN__OFFERS_DESKTOP_STATE)
        take_polygons(state);
    if (offers & CLIP_CONTROLS)
        take_clipping(state, offers);
    if (offers & GLNN__OFFERS_BOUNDING_BOX)
        take_box(state);
}

static void give_fixed(const glnn__drawing *state, unsigned offers)
{
    give_viewport(state, offers);
    if (offers & GLNN__OFFERS_DESKTOP_STATE)
        give_polygons(state, offers & GLNN__OFFERS_OLD_STATE);
    if (offers & CLIP_CONTROLS)
        give_clipping(state, offers);
    if (offers & GLNN__OFFERS_BOUNDING_BOX)
        give_box(state);
}

/* ---- The state of one render target. Where targets have none of their own, that of all. */

#define TARGET_STATES (GLNN__OFFERS_TARGET_STATE | GLNN__OFFERS_TARGET_STATE_EXT)

static void get_of_target(GLenum name, GLuint i, unsigned offers, GLint *values)
{
    if (offers & TARGET_STATES)
        glGetIntegeri_v(name, i, values);
    else
        glGetIntegerv(name, values);
}

static bool is_blended(GLuint i, unsigned offers)
{
    if (offers & GLNN__OFFERS_TARGET_STATE)
        return glIsEnabledi(GL_BLEND, i);
    return offers & GLNN__OFFERS_TARGET_STATE_EXT ? glIsEnablediEXT(GL_BLEND, i)
                                                  : glIsEnabled(GL_BLEND);
}

static void set_blended(GLuint i, bool is_wanted, unsigned offers)
{
    if (offers & GLNN__OFFERS_TARGET_STATE)
        (is_wanted ? glEnablei : glDisablei)(GL_BLEND, i);
    else if (offers & GLNN__OFFERS_TARGET_STATE_EXT)
        (is_wanted ? glEnableiEXT : glDisableiEXT)(GL_BLEND, i);
    else
        (is_wanted ? glEnable : glDisable)(GL_BLEND);
}

static void set_mask(GLuint i, const GLint mask[4], unsigned offers)
{
    const GLboolean r = mask[0] != 0, g = mask[1] != 0, b = mask[2] != 0, a = mask[3] != 0;
    if (offers & GLNN__OFFERS_TARGET_STATE)
        glColorMaski(i, r, g, b, a);
    else if (offers & GLNN__OFFERS_TARGET_STATE_EXT)
        glColorMaskiEXT(i, r, g, b, a);
    else
        glColorMask(r, g, b, a);
}

static void set_equations(GLuint i, GLenum rgb, GLenum alpha, unsigned offers)
{
    if (offers & GLNN__OFFERS_TARGET_STATE)
        glBlendEquationSeparatei(i, rgb, alpha);
    else if (offers & GLNN__OFFERS_TARGET_STATE_EXT)
        glBlendEquationSeparateiEXT(i, rgb, alpha);
    else
        glBlendEquationSeparate(rgb, alpha);
}

/* Two factors, of the colours and of alpha. */
typedef struct factors {
    GLenum rgb, alpha;
} factors;

static void set_factors(GLuint i, factors source, factors target, unsigned offers)
{
    if (offers & GLNN__OFFERS_TARGET_STATE)
        glBlendFuncSeparatei(i, source.rgb, target.rgb, source.alpha, target.alpha);
    else if (offers & GLNN__OFFERS_TARGET_STATE_EXT)
        glBlendFuncSeparateiEXT(i, source.rgb, target.rgb, source.alpha, target.alpha);
    else
        glBlendFuncSeparate(source.rgb, target.rgb, source.alpha, target.alpha);
}

void glnn__gl_blend_first_target(const glnn_context *ctx, bool is_added)
{
    set_blended(0, is_added, ctx->offers);
    if (is_added)
        set_factors(0, (factors){GL_ONE, GL_ONE}, (factors){GL_CONSTANT_COLOR, GL_CONSTANT_COLOR},
                    ctx->offers);
}

/* ---- Render targets */

static GLuint first_of(target_group group)
{
    return group == FIRST_TARGET ? 0 : 1;
}

static GLuint end_of(target_group group, unsigned offers)
{
    const bool is_first = group == FIRST_TARGET || !(offers & TARGET_STATES);
    if (is_first || offers & GLNN__OFFERS_DESKTOP_STATE)
        return is_first ? 1 : GLNN__MOST_TARGETS;
    const GLint most = glnn__gl_integer(GL_MAX_DRAW_BUFFERS);
    return most < GLNN__MOST_TARGETS ? (GLuint)most : GLNN__MOST_TARGETS;
}

static bool is_whole(const GLint *mask)
{
    return mask[0] && mask[1] && mask[2] && mask[3];
}

static void take_masks(glnn__target *targets, target_group group, unsigned offers)
{
    static const GLint whole[4] = {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE};
    const GLuint end = end_of(group, offers);
    for (GLuint i = first_of(group); i < end; ++i) {
        targets[i].blended = is_blended(i, offers);
        if (targets[i].blended)
            set_blended(i, false, offers);
        get_of_target(GL_COLOR_WRITEMASK, i, offers, targets[i].mask);
        if (!is_whole(targets[i].mask))
            set_mask(i, whole, offers);
    }
}

static void give_masks(const glnn__target *targets, target_group group, unsigned offers)
{
    const GLuint end = end_of(group, offers);
    for (GLuint i = first_of(group); i < end; ++i) {
        if (targets[i].blended)
            set_blended(i, true, offers);
        if (!is_whole(targets[i].mask))
            set_mask(i, targets[i].mask, offers);
    }
}

/* ---- Blending */

static bool is_sum(const glnn__blend *target)
{
    return target->equation_rgb == GL_FUNC_ADD && target->equation_alpha == GL_FUNC_ADD;
}

static glnn__blend get_blend(GLuint i, unsigned offers)
{
    glnn__blend target = {0};
    get_of_target(GL_BLEND_SRC_RGB, i, offers, &target.source_rgb);
    get_of_target(GL_BLEND_SRC_ALPHA, i, offers, &target.source_alpha);
    get_of_target(GL_BLEND_DST_RGB, i, offers, &target.destination_rgb);
    get_of_target(GL_BLEND_DST_ALPHA, i, offers, &target.destination_alpha);
    get_of_target(GL_BLEND_EQUATION_RGB, i, offers, &target.equation_rgb);
    get_of_target(GL_BLEND_EQUATION_ALPHA, i, offers, &target.equation_alpha);
    return target;
}

static void take_blends(glnn__blends *state, target_group group, unsigned offers)
{
    const GLuint end = end_of(group, offers);
    for (GLuint i = first_of(group); i < end; ++i) {
        state->targets[i] = get_blend(i, offers);
        if (!is_sum(&state->targets[i]))
            set_equations(i, GL_FUNC_ADD, GL_FUNC_ADD, offers);
    }
    if (group == FIRST_TARGET)
        glGetFloatv(GL_BLEND_COLOR, state->colour);
}

static void give_function(const glnn__blend *target, GLuint i, unsigned offers)
{
    set_factors(i, (factors){(GLenum)target->source_rgb, (GLenum)target->source_alpha},
                (factors){(GLenum)target->destination_rgb, (GLenum)target->destination_alpha},
                offers);
    if (!is_sum(target))
        set_equations(i, (GLenum)target->equation_rgb, (GLenum)target->equation_alpha, offers);
}

static void give_first(const glnn__blends *state, unsigned offers)
{
    give_function(&state->targets[0], 0, offers);
    glBlendColor(state->colour[0], state->colour[1], state->colour[2], state->colour[3]);
    set_blended(0, false, offers);
}

/* Most hosts have one function for all targets, which takes one call. */
static bool is_uniform(const glnn__blends *state, GLuint end)
{
    const glnn__blend *first = &state->targets[1];
    for (GLuint i = 2; i < end; ++i)
        if (memcmp(&state->targets[i], first, sizeof *first) != 0)
            return false;
    return is_sum(first);
}

static void give_others(const glnn__blends *state, unsigned offers)
{
    const GLuint end = end_of(OTHER_TARGETS, offers);
    const glnn__blend *first = &state->targets[1];
    if (end > 1 && is_uniform(state, end))
        glBlendFuncSeparate((GLenum)first->source_rgb, (GLenum)first->destination_rgb,
                            (GLenum)first->source_alpha, (GLenum)first->destination_alpha);
    else
        for (GLuint i = 1; i < end; ++i)
            give_function(&state->targets[i], i, offers);
    glDisable(GL_BLEND);
}

static void give_blends(const glnn__blends *state, target_group group, unsigned offers)
{
    if (group == FIRST_TARGET)
        give_first(state, offers);
    else
        give_others(state, offers);
}

/* ---- Objects that are bound */

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

static void take_transfers(glnn__state *state, unsigned offers)
{
    for (int i = 0; i < GLNN__TRANSFER_BUFFERS; ++i)
        if (state->buffers[i])
            glBindBuffer(buffers[i].target, 0);
    take_settings(state->settings, SETTINGS_TRANSFERS, offers);
}

/* No transfer leaves a buffer bound. */
static void give_transfers(glnn__state *state, unsigned offers)
{
    give_settings(state->settings, SETTINGS_TRANSFERS, offers);
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

/* OpenGL ES may have fewer units than the library uses of OpenGL. */
static bool has_image(int i, unsigned offers)
{
    if (!(offers & GLNN__OFFERS_IMAGE_UNITS))
        return false;
    return offers & GLNN__OFFERS_DESKTOP_STATE || i < glnn__gl_integer(GL_MAX_IMAGE_UNITS);
}

static glnn_status note_image(glnn__state *state, int i, unsigned offers)
{
    GLint *name = &state->images[i].name;
    if (!has_image(i, offers))
        return GLNN_OK;
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, (GLuint)i, name);
    return check_alive("texture", glIsTexture, *name, "image unit", i);
}

static void take_image(glnn__state *state, int i, unsigned offers)
{
    static const GLenum names[] = {GL_IMAGE_BINDING_LEVEL, GL_IMAGE_BINDING_LAYERED,
                                   GL_IMAGE_BINDING_LAYER, GL_IMAGE_BINDING_ACCESS,
                                   GL_IMAGE_BINDING_FORMAT};
    glnn__image_state *image = &state->images[i];
    GLint *const values[] = {&image->level, &image->layered, &image->layer, &image->access,
                             &image->format};
    for (size_t k = 0; has_image(i, offers) && k < sizeof names / sizeof *names; ++k)
        glGetIntegeri_v(names[k], (GLuint)i, values[k]);
}

static void give_image(const glnn__state *state, int i, unsigned offers)
{
    const glnn__image_state *image = &state->images[i];
    if (has_image(i, offers))
        glBindImageTexture((GLuint)i, alive(glIsTexture, image->name), image->level,
                           (GLboolean)(image->layered != 0), image->layer, (GLenum)image->access,
                           (GLenum)image->format);
}

static void take_drawing(const struct glnn__host *host, glnn__state *state)
{
    take_settings(state->settings, SETTINGS_DRAWING, host->offers);
    take_fixed(&state->drawing, host->offers);
    take_masks(state->targets, FIRST_TARGET, host->offers);
}

static void give_drawing(const struct glnn__host *host, glnn__state *state)
{
    give_settings(state->settings, SETTINGS_DRAWING, host->offers);
    give_fixed(&state->drawing, host->offers);
    give_masks(state->targets, FIRST_TARGET, host->offers);
}

/* Fails if part `i` could not be given back. */
static glnn_status note_part(const struct glnn__host *host, glnn__state *state, int i)
{
    const glnn__state_parts part = UINT64_C(1) << i;
    if (i < GLNN__TEXTURE_UNITS)
        return note_unit(state, i);
    if (i < GLNN__INDEXED_PARTS)
        return note_image(state, i - GLNN__TEXTURE_UNITS, host->offers);
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
        take_image(state, i - GLNN__TEXTURE_UNITS, host->offers);
    else if (part == GLNN__PART_PROGRAM)
        pause_feedback(state);
    else if (part == GLNN__PART_TRANSFERS)
        take_transfers(state, host->offers);
    else if (part == GLNN__PART_VERTEX_ARRAY)
        state->vertex_array = glnn__gl_integer(GL_VERTEX_ARRAY_BINDING);
    else if (part == GLNN__PART_FRAMEBUFFERS)
        take_framebuffers(state);
    else if (part == GLNN__PART_DRAWING)
        take_drawing(host, state);
    else if (part == GLNN__PART_TARGETS)
        take_masks(state->targets, OTHER_TARGETS, host->offers);
    else if (part == GLNN__PART_BLENDING)
        take_blends(&state->blends, FIRST_TARGET, host->offers);
    else
        take_blends(&state->blends, OTHER_TARGETS, host->offers);
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
        status = note_part(host, &host->state, i);
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
            give_image(&host->state, i, host->offers);
}

static void give_targets(struct glnn__host *host)
{
    glnn__state *state = &host->state;
    if (host->taken & GLNN__PART_TARGETS_BLENDING)
        give_blends(&state->blends, OTHER_TARGETS, host->offers);
    if (host->taken & GLNN__PART_BLENDING)
        give_blends(&state->blends, FIRST_TARGET, host->offers);
    if (host->taken & GLNN__PART_DRAWING)
        give_drawing(host, state);
    if (host->taken & GLNN__PART_TARGETS)
        give_masks(state->targets, OTHER_TARGETS, host->offers);
}

void glnn__host_give(struct glnn__host *host)
{
    glnn__state *state = &host->state;
    give_units(host);
    if (host->taken & GLNN__PART_TRANSFERS)
        give_transfers(state, host->offers);
    if (host->taken & GLNN__PART_VERTEX_ARRAY)
        glBindVertexArray(alive(glIsVertexArray, state->vertex_array));
    if (host->taken & GLNN__PART_FRAMEBUFFERS)
        give_framebuffers(state);
    give_targets(host);
    if (host->taken & GLNN__PART_PROGRAM)
        give_program(state);
    host->taken = host->noted = host->sampled = 0;
}

void glnn__gl_set_defaults(const glnn_context *ctx)
{
    struct glnn__host none = {.offers = ctx->offers};
    glnn__host_take(&none, GLNN__PARTS_ALL);
}
