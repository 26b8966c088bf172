/* Which barriers what comes next has to wait for. OpenGL orders everything but what shaders store in
 * images: that is seen by fetches, by images and by fixed functions only behind a barrier of their
 * own, and a store may overtake a read before it. Barriers cost time, so each texture remembers when
 * it was stored and used, and only what is needed is waited for. */
#ifndef GLNN__TEX_BARRIER_H
#define GLNN__TEX_BARRIER_H

#include "tex/texture.h"

/* Notes how the next pass or transfer uses a texture. */
void glnn__barrier_note(glnn__textures *textures, glnn__texture *texture, glnn__use use);

/* Behind the notes of all that it uses, and before OpenGL is told of it: the barrier, where there has
 * to be one. */
void glnn__barrier_wait(glnn__textures *textures);

#endif
