#include "gl/gl.h"

#include <string.h>

void glnn__gl_read_buffer(GLenum target, size_t bytes, void *out)
{
    const void *mapped = glMapBufferRange(target, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (!mapped)
        return;
    memcpy(out, mapped, bytes);
    glUnmapBuffer(target);
}
