/* The program whose context was adopted: its OpenGL state, and commands of it during which the
 * library must not draw. */
#ifndef GLNN__GL_HOST_H
#define GLNN__GL_HOST_H

#include "gl/gl.h"

/* Single numbers: toggles, and how pixels are copied between memory and textures. */
enum { GLNN__SETTING_GROUPS = 16, GLNN__GROUP_SETTINGS = 13 };

/* Two corners, with four coordinates each. */
enum { GLNN__BOX_NUMBERS = 8 };

typedef double glnn__settings[GLNN__SETTING_GROUPS][GLNN__GROUP_SETTINGS];

enum { GLNN__MOST_TARGETS = 8 };

/* The fixed functions of a draw before the render targets. */
typedef struct glnn__drawing {
    GLfloat viewport[4];
    GLboolean scissored;
    GLint polygon_mode[2];
    GLint clip_origin, clip_depth;
    GLfloat bounding_box[GLNN__BOX_NUMBERS];
} glnn__drawing;

/* The fixed functions of a render target. */
typedef struct glnn__target {
    GLboolean blended;
    GLint mask[4];
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

/* Buffers that change the meaning of a transfer. */
enum { GLNN__TRANSFER_BUFFERS = 2 };

typedef struct glnn__image_state {
    GLint name, level, layered, layer, access, format;
} glnn__image_state;

typedef struct glnn__unit_state {
    GLint texture_2d, texture_2d_array, sampler;
} glnn__unit_state;

/* The state of the parts that were taken. */
typedef struct glnn__state {
    bool feedback_paused; /* by the library */
    GLint program, vertex_array;
    GLint draw_framebuffer, read_framebuffer;
    GLint active_texture;
    glnn__unit_state units[GLNN__TEXTURE_UNITS];
    glnn__image_state images[GLNN__IMAGE_UNITS];
    GLint buffers[GLNN__TRANSFER_BUFFERS];
    glnn__settings settings;
    glnn__drawing drawing;
    glnn__target targets[GLNN__MOST_TARGETS];
    glnn__blends blends;
} glnn__state;

/* One for each OpenGL context that was adopted, which all guests in it share. */
struct glnn__host {
    void *native;    /* the EGLContext or GLXContext                               */
    unsigned offers; /* of its guests                                              */
    GLuint query;    /* the library's, to detect a conditional render; 0: it cannot */

    int guests;                /* contexts that have it                                        */
    int holds;                 /* calls under way and open pairs, of all guests                */
    glnn_context *latest;      /* the guest that used OpenGL last, while there are holds       */
    GLuint program;            /* that a pass has used last                                    */
    bool owes_barrier;         /* for stores of shaders to the host's textures                 */
    glnn__state_parts noted;   /* can be given back if they are taken; nothing without holds   */
    glnn__state_parts taken;   /* from the host, to be given back; nothing without holds       */
    glnn__state_parts sampled; /* units to which a sampler was bound since they were taken     */
    glnn__state state;
    struct glnn__host *next; /* in the list of all */
};

/* Whether the context is one of the compatibility profile. */
static inline bool glnn__host_is_old(const struct glnn__host *host)
{
    return host->offers & (unsigned)GLNN__OFFERS_OLD_STATE;
}

/* Sets ctx->host. Fails in a render mode other than GL_RENDER, and if a display list or a counting
 * query of the host is active. */
glnn_status glnn__host_create(glnn_context *ctx);

/* Leaves the host; the last guest deletes the query object. */
void glnn__host_destroy(glnn_context *ctx);

/* Fails with E_STATE during a conditional render, a display list or a counting query of the host,
 * and in a render mode other than GL_RENDER. Changes no state. OpenGL's error flag is clear. */
glnn_status glnn__host_check(const struct glnn__host *host);

/* Whether the host is between glBegin and glEnd, which only compatibility profiles have. There
 * OpenGL sets its error flag. */
bool glnn__host_is_in_primitive(void);

/* Fails with E_STATE there. */
glnn_status glnn__host_check_primitive(void);

/* Fails if a part could not be given back. Notes the names of objects that are bound, so that
 * glnn__host_take asks no more for them. Takes nothing. */
glnn_status glnn__host_note(struct glnn__host *host, glnn__state_parts parts);

/* Notes the state of parts that were not taken yet, and sets the defaults of gl.h. Fails if a part
 * could not be given back; none is taken then. */
glnn_status glnn__host_take(struct glnn__host *host, glnn__state_parts parts);

/* Gives all parts back. An object that was deleted meanwhile is replaced by none. */
void glnn__host_give(struct glnn__host *host);

#endif
