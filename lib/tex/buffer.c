#include "tex/buffer.h"

#include "base/status.h"

#include <stdlib.h>

/* Main memory in place of a buffer that cannot be mapped. */
static glnn_status take_copy(glnn_context *ctx, GLenum target, size_t bytes, void **copy)
{
    *copy = malloc(bytes);
    if (!*copy)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a copy of a pixel buffer of %zu bytes",
                          bytes);
    if (target == GL_PIXEL_PACK_BUFFER)
        glnn__gl_read_buffer(target, bytes, *copy);
    const glnn_status status = glnn__gl_check(ctx, "reading a pixel buffer of %zu bytes", bytes);
    if (status)
        free(*copy);
    return status;
}

static glnn_status map(glnn_context *ctx, GLenum target, size_t bytes, GLbitfield access,
                       void **mapped)
{
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_DIRECT_CALLS))
        return take_copy(ctx, target, bytes, mapped);
    *mapped = glMapBufferRange(target, 0, (GLsizeiptr)bytes, access);
    const glnn_status status = glnn__gl_check(ctx, "mapping a pixel buffer of %zu bytes", bytes);
    if (!*mapped)
        return status
                   ? status
                   : glnn__fail(GLNN_E_GL, "a pixel buffer of %zu bytes cannot be mapped", bytes);
    if (status) /* an earlier command has set the flag */
        glUnmapBuffer(target);
    return status;
}

glnn_status glnn__buffer_map(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                             GLbitfield access, void **mapped)
{
    glBindBuffer(target, buffer);
    const glnn_status status = map(ctx, target, bytes, access, mapped);
    glBindBuffer(target, 0);
    return status;
}

/* Returns whether the buffer has what was written to it. */
static bool unmap(const glnn_context *ctx, GLenum target, size_t bytes, void *mapped)
{
    if (glnn__gl_offers(ctx, GLNN__OFFERS_DIRECT_CALLS))
        return glUnmapBuffer(target);
    if (target == GL_PIXEL_UNPACK_BUFFER)
        glBufferSubData(target, 0, (GLsizeiptr)bytes, mapped);
    free(mapped);
    return true;
}

glnn_status glnn__buffer_unmap(glnn_context *ctx, GLenum target, GLuint buffer, size_t bytes,
                               void *mapped)
{
    glBindBuffer(target, buffer);
    if (unmap(ctx, target, bytes, mapped))
        return GLNN_OK;
    glBindBuffer(target, 0);
    return glnn__fail(GLNN_E_GL, "a pixel buffer of %zu bytes lost its content", bytes);
}

bool glnn__fence_has_passed(const glnn_context *ctx, GLsync fence, GLbitfield flags,
                            GLuint64 nanoseconds)
{
    const bool can_wait = glnn__gl_offers(ctx, GLNN__OFFERS_DIRECT_CALLS);
    const GLenum state = glClientWaitSync(fence, flags, can_wait ? nanoseconds : 0);
    return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

bool glnn__fence_wait(glnn_context *ctx, GLsync fence)
{
    const GLuint64 second = 1000000000;
    GLenum result = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
    if (result != GL_TIMEOUT_EXPIRED)
        return false;
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_DIRECT_CALLS)) {
        glnn__gl_wait(ctx);
        return true;
    }
    while (result == GL_TIMEOUT_EXPIRED)
        result = glClientWaitSync(fence, 0, second);
    ctx->counters.waits++;
    return true;
}
