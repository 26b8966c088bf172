/* Drawing into a texture by one triangle that covers it: all is computed by a fragment shader. */
#ifndef EXAMPLES_COVER_H
#define EXAMPLES_COVER_H

#include <stdbool.h>

/* Makes a program of OpenGL of the text of a fragment shader. False with a failure, which names
 * `what`. The caller deletes the program in any case. */
bool cover_link(const char *what, const char *fragment, unsigned *out);

/* A texture of one level, whose texels are seen as squares if it is drawn larger. */
unsigned cover_create_texture(unsigned format, int width, int height);

/* Binds what a draw needs, and disables what the user interface leaves enabled. */
void cover_begin(unsigned vertex_array, unsigned framebuffer, int width, int height);

#endif
