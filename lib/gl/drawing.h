/* OpenGL state that decides which fragments are drawn and how they reach the render targets. */
#ifndef GLNN__GL_DRAWING_H
#define GLNN__GL_DRAWING_H

#include <GL/glew.h>

#include <stdbool.h>

enum { GLNN__MOST_TARGETS = 8 };

/* The fixed functions of a draw, blending excepted. */
typedef struct glnn__drawing {
    GLfloat viewport[4];
    GLboolean scissored;
    GLboolean blended[GLNN__MOST_TARGETS];
    GLboolean masks[GLNN__MOST_TARGETS][4];
    GLint polygon_mode[2];
    GLint clip_origin, clip_depth;
} glnn__drawing;

/* How a target is blended. */
typedef struct glnn__blend {
    GLint source_rgb, source_alpha;
    GLint destination_rgb, destination_alpha;
    GLint equation_rgb, equation_alpha;
} glnn__blend;

typedef struct glnn__blends {
    glnn__blend targets[GLNN__MOST_TARGETS];
    GLfloat colour[4];
} glnn__blends;

/* Take notes the state and sets what differs from the defaults: whole targets are written without
 * blending, and nothing is dropped. Give restores it. */
void glnn__drawing_take(glnn__drawing *state, bool clip_control);
void glnn__drawing_give(const glnn__drawing *state, bool compatibility, bool clip_control);

/* The same for blending, whose default is the sum. */
void glnn__blends_take(glnn__blends *state);
void glnn__blends_give(const glnn__blends *state);

#endif
