/* Mapping of pixel buffers, and fences. The caller has claimed GLNN__PARTS_COPY. */
#ifndef GLNN__TEX_BUFFER_H
#define GLNN__TEX_BUFFER_H

#include "gl/gl.h"

/* Maps the first bytes of a pixel buffer. It is bound to `target` meanwhile; afterwards nothing
 * is. */
glnn_status glnn__buffer_map(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                             GLbitfield access, void **mapped);

/* Unmaps the buffer and leaves it bound. Fails if its content was lost; then nothing is bound. */
glnn_status glnn__buffer_unmap(GLenum target, GLuint buffer, size_t bytes);

/* Whether the GPU has passed the fence, or passes it within this time. */
bool glnn__fence_has_passed(GLsync fence, GLbitfield flags, GLuint64 nanoseconds);

#endif
