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

static const GLboolean whole[4] = {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE};

static bool is_whole(const GLboolean *mask)
{
    return memcmp(mask, whole, sizeof whole) == 0;
}

static void take_targets(glnn__drawing *state)
{
    for (GLuint i = 0; i < GLNN__MOST_TARGETS; ++i) {
        state->blended[i] = glIsEnabledi(GL_BLEND, i);
        if (state->blended[i])
            glDisablei(GL_BLEND, i);
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, state->masks[i]);
        if (!is_whole(state->masks[i]))
            glColorMaski(i, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
}

/* Passes that blend enable it for all targets, and all disable it again but the last one. */
static void give_targets(const glnn__drawing *state)
{
    glDisable(GL_BLEND);
    for (GLuint i = 0; i < GLNN__MOST_TARGETS; ++i) {
        const GLboolean *mask = state->masks[i];
        if (state->blended[i])
            glEnablei(GL_BLEND, i);
        if (!is_whole(mask))
            glColorMaski(i, mask[0], mask[1], mask[2], mask[3]);
    }
}

static void take_polygons(glnn__drawing *state, bool clip_control)
{
    glGetIntegerv(GL_POLYGON_MODE, state->polygon_mode);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    if (!clip_control)
        return;
    glGetIntegerv(GL_CLIP_ORIGIN, &state->clip_origin);
    glGetIntegerv(GL_CLIP_DEPTH_MODE, &state->clip_depth);
    glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
}

static void give_polygons(const glnn__drawing *state, bool compatibility, bool clip_control)
{
    /* Core profiles have one mode for both faces. */
    if (compatibility) {
        glPolygonMode(GL_FRONT, (GLenum)state->polygon_mode[0]);
        glPolygonMode(GL_BACK, (GLenum)state->polygon_mode[1]);
    } else {
        glPolygonMode(GL_FRONT_AND_BACK, (GLenum)state->polygon_mode[0]);
    }
    if (clip_control)
        glClipControl((GLenum)state->clip_origin, (GLenum)state->clip_depth);
}

void glnn__drawing_take(glnn__drawing *state, bool clip_control)
{
    take_viewport(state);
    take_targets(state);
    take_polygons(state, clip_control);
}

void glnn__drawing_give(const glnn__drawing *state, bool compatibility, bool clip_control)
{
    give_viewport(state);
    give_targets(state);
    give_polygons(state, compatibility, clip_control);
}

void glnn__blends_take(glnn__blends *state)
{
    for (GLuint i = 0; i < GLNN__MOST_TARGETS; ++i)
        state->targets[i] = (glnn__blend){
            .source_rgb = get_indexed(GL_BLEND_SRC_RGB, i),
            .source_alpha = get_indexed(GL_BLEND_SRC_ALPHA, i),
            .destination_rgb = get_indexed(GL_BLEND_DST_RGB, i),
            .destination_alpha = get_indexed(GL_BLEND_DST_ALPHA, i),
            .equation_rgb = get_indexed(GL_BLEND_EQUATION_RGB, i),
            .equation_alpha = get_indexed(GL_BLEND_EQUATION_ALPHA, i),
        };
    glGetFloatv(GL_BLEND_COLOR, state->colour);
    glBlendEquation(GL_FUNC_ADD);
}

void glnn__blends_give(const glnn__blends *state)
{
    for (GLuint i = 0; i < GLNN__MOST_TARGETS; ++i) {
        const glnn__blend *target = &state->targets[i];
        glBlendFuncSeparatei(i, (GLenum)target->source_rgb, (GLenum)target->destination_rgb,
                             (GLenum)target->source_alpha, (GLenum)target->destination_alpha);
        glBlendEquationSeparatei(i, (GLenum)target->equation_rgb, (GLenum)target->equation_alpha);
    }
    glBlendColor(state->colour[0], state->colour[1], state->colour[2], state->colour[3]);
}
