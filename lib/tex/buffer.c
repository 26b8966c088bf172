#include "tex/buffer.h"

#include "base/status.h"

glnn_status glnn__buffer_map(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                             GLbitfield access, void **mapped)
{
    glBindBuffer(target, buffer);
    *mapped = glMapBufferRange(target, 0, (GLsizeiptr)bytes, access);
    glBindBuffer(target, 0);
    GLNN__TRY(glnn__gl_check(ctx, "mapping a pixel buffer of %zu bytes", bytes));
    return *mapped ? GLNN_OK
                   : glnn__fail(GLNN_E_GL, "a pixel buffer of %zu bytes cannot be mapped", bytes);
}

glnn_status glnn__buffer_unmap(GLenum target, GLuint buffer, size_t bytes)
{
    glBindBuffer(target, buffer);
    if (glUnmapBuffer(target))
        return GLNN_OK;
    glBindBuffer(target, 0);
    return glnn__fail(GLNN_E_GL, "a pixel buffer of %zu bytes lost its content", bytes);
}

bool glnn__fence_has_passed(GLsync fence, GLbitfield flags, GLuint64 nanoseconds)
{
    const GLenum state = glClientWaitSync(fence, flags, nanoseconds);
    return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}
