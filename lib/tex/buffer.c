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
                   : glnn__fail(GLNN_E_GL, "a pixel buffer of %zu bytes is not mapped", bytes);
}

bool glnn__buffer_unmap(GLenum target, GLuint buffer)
{
    glBindBuffer(target, buffer);
    return glUnmapBuffer(target);
}
