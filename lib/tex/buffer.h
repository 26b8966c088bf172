/* Mapping of pixel buffers, and fences. The caller has claimed GLNN__PARTS_COPY. */
#ifndef GLNN__TEX_BUFFER_H
#define GLNN__TEX_BUFFER_H

#include "gl/gl.h"

/* Maps the first bytes of a pixel buffer. It is bound to `target` meanwhile; afterwards nothing is.
 * Where buffers cannot be mapped, `mapped` is main memory: it has a copy of what a buffer to pack
 * into holds, and is copied to a buffer to unpack from at the end. */
glnn_status glnn__buffer_map(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                             GLbitfield access, void **mapped);

/* Unmaps the buffer and leaves it bound. Fails if its content was lost; then nothing is bound. */
glnn_status glnn__buffer_unmap(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                               void *mapped);

/* Whether the GPU has passed the fence, or passes it within this time. Where fences cannot be waited
 * for, the time is 0. */
bool glnn__fence_has_passed(const glnn_context *ctx, GLsync fence, GLbitfield flags,
                            GLuint64 nanoseconds);

/* Waits until the GPU has passed the fence. Returns whether it had not, and counts the wait then. */
bool glnn__fence_wait(glnn_context *ctx, GLsync fence);

#endif
