#include "tex/upload.h"

#include "base/status.h"
#include "tex/buffer.h"

/* Long enough for any queue of passes; a limit in case the driver has lost the device. */
#define PATIENCE_NANOSECONDS (UINT64_C(60) * 1000000000)

static void drop_fence(glnn__upload *upload)
{
    glDeleteSync(upload->fence);
    upload->fence = NULL;
}

static glnn_status unmap(glnn__upload *upload)
{
    void *mapped = upload->mapped;
    upload->mapped = NULL;
    return glnn__buffer_unmap(upload->ctx, GL_PIXEL_UNPACK_BUFFER, upload->buffer, upload->bytes,
                              mapped);
}

static glnn_status create(glnn__upload *upload)
{
    GLNN__TRY(glnn__gl_claim(upload->ctx, GLNN__PARTS_COPY));
    glGenBuffers(1, &upload->buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, upload->buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)upload->bytes, NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return glnn__gl_check(upload->ctx, "allocating a pixel buffer of %zu bytes", upload->bytes);
}

glnn_status glnn__upload_create(glnn_context *ctx, size_t bytes, glnn__upload *out)
{
    *out = (glnn__upload){.ctx = ctx, .bytes = bytes};
    GLNN__TRY(glnn__gl_enter(ctx));
    const glnn_status status = glnn__gl_leave(ctx, create(out));
    if (status)
        glnn__upload_destroy(out);
    return status;
}

void glnn__upload_destroy(glnn__upload *upload)
{
    if (upload->buffer && !glnn__gl_enter_recording(upload->ctx)) {
        drop_fence(upload);
        if (upload->mapped && !glnn__gl_claim(upload->ctx, GLNN__PARTS_COPY))
            unmap(upload);
        glDeleteBuffers(1, &upload->buffer);
        glnn__gl_leave(upload->ctx, GLNN_OK);
    }
    *upload = (glnn__upload){0};
}

static bool is_free(glnn__upload *upload)
{
    if (upload->fence && glnn__fence_has_passed(upload->ctx, upload->fence, 0, 0))
        drop_fence(upload);
    return !upload->fence;
}

bool glnn__upload_is_free(glnn__upload *upload)
{
    if (glnn__gl_enter(upload->ctx))
        return false;
    const bool result = is_free(upload);
    glnn__gl_leave(upload->ctx, GLNN_OK);
    return result;
}

static glnn_status wait_until_free(glnn__upload *upload)
{
    if (is_free(upload))
        return GLNN_OK;
    upload->ctx->counters.waits++;
    if (!glnn__fence_has_passed(upload->ctx, upload->fence, GL_SYNC_FLUSH_COMMANDS_BIT,
                                PATIENCE_NANOSECONDS))
        return glnn__fail(GLNN_E_GL,
                          "the GPU has not copied an upload of %zu bytes within a minute",
                          upload->bytes);
    drop_fence(upload);
    return GLNN_OK;
}

/* The buffer is still mapped if its context was not current when its content was dropped. */
static glnn_status begin(glnn__upload *upload, float **texels)
{
    GLNN__TRY(glnn__gl_claim(upload->ctx, GLNN__PARTS_COPY));
    if (upload->mapped)
        unmap(upload);
    GLNN__TRY(wait_until_free(upload));
    GLNN__TRY(glnn__buffer_map(upload->ctx, GL_PIXEL_UNPACK_BUFFER, upload->buffer, upload->bytes,
                               GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT |
                                   GL_MAP_UNSYNCHRONIZED_BIT,
                               &upload->mapped));
    *texels = upload->mapped;
    return GLNN_OK;
}

glnn_status glnn__upload_begin(glnn__upload *upload, float **texels)
{
    GLNN__TRY(glnn__gl_enter(upload->ctx));
    return glnn__gl_leave(upload->ctx, begin(upload, texels));
}

static glnn_status end(glnn__upload *upload, const glnn__upload_part *parts, int count)
{
    GLNN__TRY(glnn__gl_claim(upload->ctx, GLNN__PARTS_COPY));
    GLNN__TRY(unmap(upload));
    for (int i = 0; i < count; ++i) {
        const glnn_matrix *matrix = parts[i].matrix;
        const glnn_rect rows = {0, 0, parts[i].rows, matrix->columns};
        const glnn__blocks blocks = glnn__matrix_cover(matrix, &rows);
        glnn__matrix_write_blocks(upload->ctx, matrix, &blocks,
                                  parts[i].first_float * sizeof(float));
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    /* Without maps, the driver copies what it is given, so there is nothing to wait for. */
    if (count > 0 && glnn__gl_offers(upload->ctx, GLNN__OFFERS_DIRECT_CALLS)) {
        upload->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glFlush();
    }
    return glnn__gl_check(upload->ctx, "uploading %zu bytes", upload->bytes);
}

glnn_status glnn__upload_end(glnn__upload *upload, const glnn__upload_part *parts, int count)
{
    GLNN__TRY(glnn__gl_enter(upload->ctx));
    return glnn__gl_leave(upload->ctx, end(upload, parts, count));
}
