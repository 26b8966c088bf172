#include "gl/drawing.h"

#include <string.h>

static GLint get_indexed(GLenum name, GLuint index)
{
    GLint value = 0;
    glGetIntegeri_v(name, index, &value);
    return value;
}

static void take_viewport(glnn__drawing *state)
{
    glGetFloati_v(GL_VIEWPORT, 0, state->viewport);
    state->scissored = glIsEnabledi(GL_SCISSOR_TEST, 0);
    if (state->scissored)
        glDisablei(GL_SCISSOR_TEST, 0);
}

static void give_viewport(const glnn__drawing *state)
{
    glViewportIndexedfv(0, state->viewport);
    if (state->scissored)
        glEnablei(GL_SCISSOR_TEST, 0);
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

static void take_clipping(glnn__drawing *state)
{
    glGetIntegerv(GL_CLIP_ORIGIN, &state->clip_origin);
    glGetIntegerv(GL_CLIP_DEPTH_MODE, &state->clip_depth);
    if (!is_clipped_usually(state))
        glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
}

static void give_clipping(const glnn__drawing *state)
{
    if (!is_clipped_usually(state))
        glClipControl((GLenum)state->clip_origin, (GLenum)state->clip_depth);
}

void glnn__drawing_take(glnn__drawing *state, bool clip_control)
{
    take_viewport(state);
    take_polygons(state);
    if (clip_control)
        take_clipping(state);
}

void glnn__drawing_give(const glnn__drawing *state, bool compatibility, bool clip_control)
{
    give_viewport(state);
    give_polygons(state, compatibility);
    if (clip_control)
        give_clipping(state);
}

/* ---- Render targets */

static GLuint first_of(glnn__target_group group)
{
    return group == GLNN__FIRST_TARGET ? 0 : 1;
}

static GLuint end_of(glnn__target_group group)
{
    return group == GLNN__FIRST_TARGET ? 1 : GLNN__MOST_TARGETS;
}

static bool is_whole(const GLboolean *mask)
{
    return mask[0] && mask[1] && mask[2] && mask[3];
}

void glnn__targets_take(glnn__target *targets, glnn__target_group group)
{
    for (GLuint i = first_of(group); i < end_of(group); ++i) {
        targets[i].blended = glIsEnabledi(GL_BLEND, i);
        if (targets[i].blended)
            glDisablei(GL_BLEND, i);
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, targets[i].mask);
        if (!is_whole(targets[i].mask))
            glColorMaski(i, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
}

void glnn__targets_give(const glnn__target *targets, glnn__target_group group)
{
    for (GLuint i = first_of(group); i < end_of(group); ++i) {
        const GLboolean *mask = targets[i].mask;
        if (targets[i].blended)
            glEnablei(GL_BLEND, i);
        if (!is_whole(mask))
            glColorMaski(i, mask[0], mask[1], mask[2], mask[3]);
    }
}

/* ---- Blending */

static bool is_sum(const glnn__blend *target)
{
    return target->equation_rgb == GL_FUNC_ADD && target->equation_alpha == GL_FUNC_ADD;
}

void glnn__blends_take(glnn__blends *state, glnn__target_group group)
{
    for (GLuint i = first_of(group); i < end_of(group); ++i) {
        glnn__blend *target = &state->targets[i];
        *target = (glnn__blend){
            .source_rgb = get_indexed(GL_BLEND_SRC_RGB, i),
            .source_alpha = get_indexed(GL_BLEND_SRC_ALPHA, i),
            .destination_rgb = get_indexed(GL_BLEND_DST_RGB, i),
            .destination_alpha = get_indexed(GL_BLEND_DST_ALPHA, i),
            .equation_rgb = get_indexed(GL_BLEND_EQUATION_RGB, i),
            .equation_alpha = get_indexed(GL_BLEND_EQUATION_ALPHA, i),
        };
        if (!is_sum(target))
            glBlendEquationSeparatei(i, GL_FUNC_ADD, GL_FUNC_ADD);
    }
    if (group == GLNN__FIRST_TARGET)
        glGetFloatv(GL_BLEND_COLOR, state->colour);
}

static void give_function(const glnn__blend *target, GLuint i)
{
    glBlendFuncSeparatei(i, (GLenum)target->source_rgb, (GLenum)target->destination_rgb,
                         (GLenum)target->source_alpha, (GLenum)target->destination_alpha);
    if (!is_sum(target))
        glBlendEquationSeparatei(i, (GLenum)target->equation_rgb, (GLenum)target->equation_alpha);
}

static void give_first(const glnn__blends *state)
{
    give_function(&state->targets[0], 0);
    glBlendColor(state->colour[0], state->colour[1], state->colour[2], state->colour[3]);
    glDisablei(GL_BLEND, 0);
}

/* Most hosts have one function for all targets, which takes one call. */
static bool is_uniform(const glnn__blends *state)
{
    const glnn__blend *first = &state->targets[1];
    for (GLuint i = 2; i < GLNN__MOST_TARGETS; ++i)
        if (memcmp(&state->targets[i], first, sizeof *first) != 0)
            return false;
    return is_sum(first);
}

static void give_others(const glnn__blends *state)
{
    const glnn__blend *first = &state->targets[1];
    if (is_uniform(state))
        glBlendFuncSeparate((GLenum)first->source_rgb, (GLenum)first->destination_rgb,
                            (GLenum)first->source_alpha, (GLenum)first->destination_alpha);
    else
        for (GLuint i = 1; i < GLNN__MOST_TARGETS; ++i)
            give_function(&state->targets[i], i);
    glDisable(GL_BLEND);
}

void glnn__blends_give(const glnn__blends *state, glnn__target_group group)
{
    if (group == GLNN__FIRST_TARGET)
        give_first(state);
    else
        give_others(state);
}
