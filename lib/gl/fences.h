/* Avoids a defect of Mesa's llvmpipe.
 *
 * llvmpipe draws one scene after the other with several threads. Each thread that has finished its
 * part of a scene increments the scene's fence under a lock. The driver reads the count without the
 * lock (lp_fence_signalled() in Mesa 22.3 and later). When the count is complete, it can free the
 * fence before the last thread has released the lock. That thread then writes to freed memory,
 * which corrupts the heap or makes the program wait forever.
 *
 * A sync object holds a reference to the fence. So the library keeps a sync object of each scene
 * until all threads have drawn a later scene. */
#ifndef GLNN__GL_FENCES_H
#define GLNN__GL_FENCES_H

#include "gl/gl.h"

extern glnn__slot glnn__fences_slot;

/* Starts keeping fences, on llvmpipe. Drivers on top of it, such as zink, have sync objects of
 * their own, which do not hold its fences. */
glnn_status glnn__fences_create(glnn_context *ctx);

/* Both keep the fence of the scene that the library has drawn, and do nothing on other drivers. The
 * first is called before each command that draws or clears, the second before the host of an
 * adopted context can draw. */
void glnn__fences_before_draw(glnn_context *ctx);
void glnn__fences_before_host(glnn_context *ctx);

#endif
