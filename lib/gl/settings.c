#include "gl/settings.h"

#include <GL/glew.h>

typedef struct group {
    enum { TOGGLES, STORES, CLAMPS, TRANSFERS } kind;
    glnn__setting_use use;
    bool is_old;                        /* exists in compatibility profiles only */
    GLfloat standard;                   /* the value that passes and transfers need */
    GLenum names[GLNN__GROUP_SETTINGS]; /* up to the first 0 */
} group;

static const group groups[GLNN__SETTING_GROUPS] = {
    {TOGGLES, GLNN__SETTINGS_DRAWING, false, 0, {GL_DEPTH_TEST,        GL_STENCIL_TEST,
                                                 GL_CULL_FACE,         GL_DITHER,
                                                 GL_COLOR_LOGIC_OP,    GL_RASTERIZER_DISCARD,
                                                 GL_MULTISAMPLE,       GL_SAMPLE_MASK,
                                                 GL_SAMPLE_COVERAGE,   GL_SAMPLE_SHADING,
                                                 GL_POLYGON_SMOOTH,    GL_SAMPLE_ALPHA_TO_COVERAGE,
                                                 GL_FRAMEBUFFER_SRGB,  GL_SAMPLE_ALPHA_TO_ONE,
                                                 GL_PRIMITIVE_RESTART, GL_CLIP_DISTANCE0,
                                                 GL_CLIP_DISTANCE1,    GL_CLIP_DISTANCE2,
                                                 GL_CLIP_DISTANCE3,    GL_CLIP_DISTANCE4,
                                                 GL_CLIP_DISTANCE5,    GL_CLIP_DISTANCE0 + 6,
                                                 GL_CLIP_DISTANCE0 + 7}},
    {TOGGLES, GLNN__SETTINGS_DRAWING, true, 0, {GL_ALPHA_TEST, GL_POLYGON_STIPPLE}},
    {CLAMPS, GLNN__SETTINGS_DRAWING, true, GL_FALSE, {GL_CLAMP_FRAGMENT_COLOR}},
    {STORES,
     GLNN__SETTINGS_TRANSFERS,
     false,
     0,
     {GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS, GL_PACK_SWAP_BYTES,
      GL_PACK_IMAGE_HEIGHT, GL_PACK_SKIP_IMAGES, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS,
      GL_UNPACK_SKIP_PIXELS, GL_UNPACK_SWAP_BYTES, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES}},
    {STORES, GLNN__SETTINGS_TRANSFERS, false, 1, {GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT}},
    {CLAMPS, GLNN__SETTINGS_TRANSFERS, false, GL_FIXED_ONLY, {GL_CLAMP_READ_COLOR}},
    {TRANSFERS,
     GLNN__SETTINGS_TRANSFERS,
     true,
     0,
     {GL_MAP_COLOR, GL_MAP_STENCIL, GL_RED_BIAS, GL_GREEN_BIAS, GL_BLUE_BIAS, GL_ALPHA_BIAS}},
    {TRANSFERS,
     GLNN__SETTINGS_TRANSFERS,
     true,
     1,
     {GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE}},
};

static double get(const group *g, GLenum name)
{
    GLdouble value = 0;
    if (g->kind == TOGGLES)
        return glIsEnabled(name);
    glGetDoublev(name, &value);
    return value;
}

static void set(const group *g, GLenum name, double value)
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

/* The group with this number, or NULL if it has another use or the profile does not have it. */
static const group *find(int number, glnn__setting_use use, bool compatibility)
{
    const group *g = &groups[number];
    return g->use != use || (g->is_old && !compatibility) ? NULL : g;
}

void glnn__settings_take(glnn__settings values, glnn__setting_use use, bool compatibility)
{
    for (int i = 0; i < GLNN__SETTING_GROUPS; ++i) {
        const group *g = find(i, use, compatibility);
        for (int j = 0; g && g->names[j]; ++j) {
            values[i][j] = get(g, g->names[j]);
            if (values[i][j] != g->standard)
                set(g, g->names[j], g->standard);
        }
    }
}

void glnn__settings_give(glnn__settings values, glnn__setting_use use, bool compatibility)
{
    for (int i = 0; i < GLNN__SETTING_GROUPS; ++i) {
        const group *g = find(i, use, compatibility);
        for (int j = 0; g && g->names[j]; ++j)
            if (values[i][j] != g->standard)
                set(g, g->names[j], values[i][j]);
    }
}
