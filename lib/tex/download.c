/* Downloads go through a pixel buffer, so that the copies of all layers start before the first
 * wait. */
#include "base/status.h"
#include "gl/lifetime.h"
#include "tex/buffer.h"
#include "tex/matrix.h"

#include <stdlib.h>
#include <string.h>

/* The largest buffer, in bytes, that is kept for the next download. */
#define MOST_SPARE_BYTES ((size_t)1 << 26)

struct glnn_download {
    glnn_context *ctx;
    GLuint buffer;
    size_t buffer_bytes; /* 0: the buffer is not reused   */
    GLsync fence;        /* NULL: the caller waits anyway */
    const glnn__layout_info *layout;
    int wrap;
    glnn_rect rect;
};

static void bind_buffer(glnn__textures *textures, glnn_download *download, size_t bytes)
{
    if (bytes <= textures->spare_bytes) {
        download->buffer = textures->spare_buffer;
        download->buffer_bytes = textures->spare_bytes;
        textures->spare_buffer = 0;
        textures->spare_bytes = 0;
        glBindBuffer(GL_PIXEL_PACK_BUFFER, download->buffer);
    } else {
        glGenBuffers(1, &download->buffer);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, download->buffer);
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_READ);
        download->buffer_bytes = bytes;
    }
}

/* Keeps the larger one of two buffers. */
static void release_buffer(glnn__textures *textures, const glnn_download *download)
{
    GLuint unused = download->buffer;
    if (download->buffer_bytes > textures->spare_bytes &&
        download->buffer_bytes <= MOST_SPARE_BYTES) {
        unused = textures->spare_buffer;
        textures->spare_buffer = download->buffer;
        textures->spare_bytes = download->buffer_bytes;
    }
    glDeleteBuffers(1, &unused);
}

static size_t bytes_of(const glnn_download *download)
{
    const glnn__blocks blocks =
        glnn__layout_cover_texels(download->layout, download->wrap, &download->rect);
    return glnn__blocks_floats(download->layout, &blocks) * sizeof(float);
}

static glnn_status begin(glnn_download *download, const glnn_matrix *matrix)
{
    glnn_context *ctx = download->ctx;
    const glnn__blocks blocks = glnn__matrix_cover(matrix, &download->rect);
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    GLNN__TRY(glnn__texture_look(ctx, matrix->name, matrix->texture));
    bind_buffer(glnn__textures_of(ctx), download, bytes_of(download));
    glnn_status status = glnn__matrix_read_blocks(ctx, matrix, &blocks, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (!status)
        status = glnn__gl_check(ctx, "downloading %s", matrix->name);
    if (status)
        download->buffer_bytes = 0;
    return status;
}

/* Waits until the elements have arrived. */
static glnn_status store(const glnn_download *download, float *data, int ld)
{
    glnn_context *ctx = download->ctx;
    const size_t bytes = bytes_of(download);
    void *texels;
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    GLNN__TRY(glnn__buffer_map(ctx, GL_PIXEL_PACK_BUFFER, download->buffer, bytes, GL_MAP_READ_BIT,
                               &texels));
    glnn__layout_unpack(download->layout, download->wrap, &download->rect, texels, data, ld);
    GLNN__TRY(glnn__buffer_unmap(ctx, GL_PIXEL_PACK_BUFFER, download->buffer, bytes, texels));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return glnn__gl_check(ctx, "ending a download of %zu bytes", bytes);
}

static glnn_status download_at_once(glnn_download *download, const glnn_matrix *matrix, float *data,
                                    int ld)
{
    glnn_status status = begin(download, matrix);
    if (!status)
        status = store(download, data, ld);
    download->ctx->counters.waits++;
    release_buffer(glnn__textures_of(download->ctx), download);
    return status;
}

glnn_status glnn_matrix_download(glnn_context *ctx, const glnn_matrix *matrix,
                                 const glnn_rect *rect, float *data, int ld)
{
    glnn_rect checked;
    GLNN__NOT_NULL(ctx);
    GLNN__NOT_NULL(matrix);
    GLNN__NOT_NULL(data);
    GLNN__TRY(glnn__matrix_check_transfer(__func__, ctx, matrix, rect, &ld, &checked));
    glnn_download download = {.ctx = ctx,
                              .layout = glnn__layout_of(matrix),
                              .wrap = matrix->texture->extent.wrap,
                              .rect = checked};
    GLNN__TRY(glnn__gl_enter(ctx));
    if (ctx->list) { /* passes are recorded, so none has written anything */
        for (int i = 0; i < checked.rows; ++i)
            memset(data + (size_t)i * (size_t)ld, 0, (size_t)checked.columns * sizeof *data);
        return glnn__gl_leave(ctx, GLNN_OK);
    }
    return glnn__gl_leave(ctx, download_at_once(&download, matrix, data, ld));
}

static glnn_status begin_with_fence(glnn_download *download, const glnn_matrix *matrix)
{
    GLNN__TRY(begin(download, matrix));
    download->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    return glnn__gl_check(download->ctx, "starting to download %s", matrix->name);
}

glnn_status glnn_download_begin(glnn_context *ctx, const glnn_matrix *matrix, const glnn_rect *rect,
                                glnn_download **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__NOT_NULL(ctx);
    GLNN__NOT_NULL(matrix);
    glnn_rect checked;
    int ld = 0;
    GLNN__TRY(glnn__matrix_check_transfer(__func__, ctx, matrix, rect, &ld, &checked));
    if (ctx->list && !ctx->is_recording)
        return GLNN_OK;
    glnn_download *download = malloc(sizeof *download);
    if (!download)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a download of %s", __func__,
                          matrix->name);
    *download = (glnn_download){.ctx = ctx,
                                .layout = glnn__layout_of(matrix),
                                .wrap = matrix->texture->extent.wrap,
                                .rect = checked};

    glnn_status status = glnn__gl_enter(ctx);
    if (!status)
        status = glnn__gl_leave(ctx, begin_with_fence(download, matrix));
    if (status)
        glnn_download_end(download, NULL, 0);
    else
        *out = download;
    return status;
}

bool glnn_download_is_ready(glnn_download *download)
{
    if (!download || glnn__gl_enter_recording(download->ctx))
        return false;
    const bool is_ready = glnn__fence_has_passed(download->ctx, download->fence, 0, 0);
    glnn__gl_leave(download->ctx, GLNN_OK);
    return is_ready;
}

static glnn_status end(const glnn_download *download, float *data, int ld)
{
    if (!data)
        return GLNN_OK;
    if (ld < download->rect.columns)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_download_end: ld is %d, but the download has %d columns; ld must "
                          "be at least as large",
                          ld, download->rect.columns);
    if (!glnn__fence_has_passed(download->ctx, download->fence, 0, 0))
        download->ctx->counters.waits++;
    return store(download, data, ld);
}

static glnn_status finish(glnn_download *download, float *data, int ld)
{
    glnn_context *ctx = download->ctx;
    GLNN__TRY(glnn__gl_enter_recording(ctx));
    const glnn_status status = end(download, data, ld ? ld : download->rect.columns);
    glDeleteSync(download->fence);
    release_buffer(glnn__textures_of(ctx), download);
    return glnn__gl_leave(ctx, status);
}

glnn_status glnn_download_end(glnn_download *download, float *data, int ld)
{
    glnn_status status = GLNN_OK;
    if (!download)
        return status;
    if (!download->ctx->is_destroyed)
        status = finish(download, data, ld);
    else if (data)
        status = glnn__context_check(__func__, "download", download->ctx);
    free(download);
    return status;
}
