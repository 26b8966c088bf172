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

/* Both keep the fence of what the library has drawn, and do nothing on other drivers. The first is called
 * before each command that draws or clears, the second before the host of an adopted context may. */
void glnn__fences_before_draw(glnn_context *ctx);
void glnn__fences_before_host(glnn_context *ctx);

#endif
