/* Mapping of pixel buffers, and fences. The caller has claimed GLNN__PARTS_COPY. */
#ifndef GLNN__TEX_BUFFER_H
#define GLNN__TEX_BUFFER_H

#include "gl/gl.h"

/* Maps the first bytes of a pixel buffer. It is bound to `target` meanwhile; afterwards nothing is.
 * Where buffers cannot be mapped, `mapped` is main memory. It begins as a copy of a buffer to pack
 * into, and is copied to a buffer to unpack from when that is unmapped. */
glnn_status glnn__buffer_map(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                             GLbitfield access, void **mapped);

/* Unmaps the buffer and leaves it bound. Fails if its content was lost; then nothing is bound. */
glnn_status glnn__buffer_unmap(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                               void *mapped);

/* Whether the GPU has passed the fence, or passes it within this time. The time is 0 where fences
 * cannot be waited for. */
bool glnn__fence_has_passed(const glnn_context *ctx, GLsync fence, GLbitfield flags,
                            GLuint64 nanoseconds);

/* Waits until the GPU has passed the fence. If it had not, counts the wait and returns true. */
bool glnn__fence_wait(glnn_context *ctx, GLsync fence);

#endif
