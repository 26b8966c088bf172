/* Pixel buffers in main memory's reach. */
#ifndef GLNN__TEX_BUFFER_H
#define GLNN__TEX_BUFFER_H

#include "gl/gl.h"

/* Maps the first bytes of a pixel buffer; `target` is where it is bound meanwhile, and nothing is
 * afterwards. */
glnn_status glnn__buffer_map(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                             GLbitfield access, void **mapped);

/* Unmaps the buffer and leaves it bound. Where its content was lost this fails, and nothing is
 * bound. */
glnn_status glnn__buffer_unmap(GLenum target, GLuint buffer, size_t bytes);

/* Whether the GPU has come to the fence, or comes there within this time. */
bool glnn__fence_has_passed(GLsync fence, GLbitfield flags, GLuint64 nanoseconds);

#endif
