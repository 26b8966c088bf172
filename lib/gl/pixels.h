/* How pixels travel between memory and textures: the part of the state that transfers depend on. */
#ifndef GLNN__GL_PIXELS_H
#define GLNN__GL_PIXELS_H

#include <GL/glew.h>

#include <stdbool.h>

enum { GLNN__PIXEL_STORES = 14, GLNN__PIXEL_TRANSFERS = 10 };

typedef struct glnn__pixels {
    GLint pack_buffer, unpack_buffer;
    GLint stores[GLNN__PIXEL_STORES];
    GLint clamp_read;
    GLint clamp_fragment;                     /* compatibility profiles only */
    GLfloat transfers[GLNN__PIXEL_TRANSFERS]; /* compatibility profiles only */
} glnn__pixels;

void glnn__pixels_save(glnn__pixels *pixels, bool compatibility);
void glnn__pixels_restore(const glnn__pixels *pixels, bool compatibility);

/* No buffer, no gaps between rows, values as they are. */
void glnn__pixels_set_defaults(bool compatibility);

#endif
