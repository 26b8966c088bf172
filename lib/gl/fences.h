/* Stays clear of a defect of Mesa's llvmpipe.
 *
 * llvmpipe draws scene after scene in threads, and each thread that has done its part counts up the
 * scene's fence under a lock. The driver reads the count without the lock. Once the count is complete, it
 * may free the fence before the last thread has unlocked it. That thread then writes into freed memory:
 * on a busy machine the heap is corrupted, or the program waits for ever. (Mesa 22.3, where
 * lp_fence_signalled() takes no lock; later versions have the same function.) A sync object holds a
 * reference to the fence, so the library keeps one of each scene until later scenes are drawn, which
 * takes all threads. */
#ifndef GLNN__GL_FENCES_H
#define GLNN__GL_FENCES_H

#include "gl/gl.h"

/* Starts keeping fences, on llvmpipe. */
glnn_status glnn__fences_create(glnn_context *ctx);

/* Keeps the fence of what was drawn so far; on other drivers it does nothing. Call it before each
 * command that draws or clears. */
void glnn__fences_keep(glnn_context *ctx);

#endif
