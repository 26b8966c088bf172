/* OpenGL state that decides which fragments are drawn and how they reach the render targets. */
#ifndef GLNN__GL_DRAWING_H
#define GLNN__GL_DRAWING_H

#include <GL/glew.h>

#include <stdbool.h>

enum { GLNN__MOST_TARGETS = 8 };

/* The fixed functions of a draw before the render targets. */
typedef struct glnn__drawing {
    GLfloat viewport[4];
    GLboolean scissored;
    GLint polygon_mode[2];
    GLint clip_origin, clip_depth;
} glnn__drawing;

/* The fixed functions of a render target. */
typedef struct glnn__target {
    GLboolean blended;
    GLboolean mask[4];
} glnn__target;

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

/* The targets that a function is about. Most draws write the first one only. */
typedef enum glnn__target_group { GLNN__FIRST_TARGET, GLNN__OTHER_TARGETS } glnn__target_group;

/* Take notes the state and sets what differs from the defaults, so that nothing is dropped. Give
 * restores it. */
void glnn__drawing_take(glnn__drawing *state, bool clip_control);
void glnn__drawing_give(const glnn__drawing *state, bool compatibility, bool clip_control);

/* The same for targets, which are written whole and without blending. */
void glnn__targets_take(glnn__target *targets, glnn__target_group group);
void glnn__targets_give(const glnn__target *targets, glnn__target_group group);

/* The same for functions of blending, whose default is the sum. Give disables blending. The
 * functions of the first target are given last. */
void glnn__blends_take(glnn__blends *state, glnn__target_group group);
void glnn__blends_give(const glnn__blends *state, glnn__target_group group);

#endif
