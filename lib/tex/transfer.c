/* Uploads and downloads. */
#include "base/half.h"
#include "base/status.h"
#include "tex/barrier.h"
#include "tex/matrix.h"

#include <stdlib.h>

/* A rectangle of one layer, and where its texels start in main memory or a pixel buffer. */
typedef struct slab {
    int layer, x, y, width, height;
    size_t first_float;
} slab;

/* Cuts a rectangle of blocks into slabs: one a layer of the block, or one a page. Returns false
 * behind the last one. */
static bool next_slab(const glnn_matrix *matrix, const glnn__blocks *blocks, int index, slab *out)
{
    const glnn__layout_info *info = glnn__layout_get(matrix->layout);
    *out = (slab){index, blocks->x, blocks->y, blocks->width, blocks->height, 0};
    if (matrix->layout != GLNN_LAYOUT_PAGED) {
        out->first_float =
            (size_t)index * (size_t)blocks->width * (size_t)blocks->height * (size_t)info->channels;
        return index < info->block_layers;
    }
    const int page_rows = matrix->texture->extent.height;
    const int page = blocks->y / page_rows + index;
    const int begin = index == 0 ? blocks->y : page * page_rows;
    const int end = blocks->y + blocks->height;
    const int page_end = end - page * page_rows < page_rows ? end : (page + 1) * page_rows;
    out->layer = page;
    out->y = begin - page * page_rows;
    out->height = page_end - begin;
    out->first_float = (size_t)(begin - blocks->y) * (size_t)blocks->width * 4;
    return begin < end;
}

static GLenum texel_format(const glnn_matrix *matrix)
{
    return glnn__layout_get(matrix->layout)->channels == 1 ? GL_RED : GL_RGBA;
}

/* Drivers disagree about how they round, so what is to be stored in 16 bits is rounded here. */
void glnn__matrix_write_blocks(glnn_context *ctx, const glnn_matrix *matrix,
                               const glnn__blocks *blocks, void *texels)
{
    glnn__textures *textures = ctx->slots[GLNN__SLOT_TEXTURES].state;
    glnn__texture *texture = matrix->texture;
    const size_t count = glnn__blocks_floats(matrix->layout, blocks);
    const size_t element = glnn__storage_bytes(matrix->storage);
    const GLenum type = matrix->storage == GLNN_STORAGE_FLOAT16 ? GL_HALF_FLOAT : GL_FLOAT;
    if (matrix->storage == GLNN_STORAGE_FLOAT16)
        glnn__halves_in_place(texels, count);
    glnn__barrier_note(textures, texture, GLNN__USE_FIXED);
    glnn__barrier_wait(textures);
    glBindTexture(texture->target, texture->name);
    slab s;
    for (int i = 0; next_slab(matrix, blocks, i, &s); ++i) {
        const void *data = (const void *)((uintptr_t)texels + s.first_float * element);
        if (texture->target == GL_TEXTURE_2D_ARRAY)
            glTexSubImage3D(texture->target, 0, s.x, s.y, s.layer, s.width, s.height, 1,
                            texel_format(matrix), type, data);
        else
            glTexSubImage2D(texture->target, 0, s.x, s.y, s.width, s.height, texel_format(matrix),
                            type, data);
    }
    ctx->bindings_age++;
    ctx->counters.bytes_uploaded += count * element;
}

/* `texels` is an offset into the pixel buffer that is bound, or main memory where none is. Whatever
 * the storage, floats arrive: widening is exact, so it is left to the driver. */
static void read_blocks(glnn_context *ctx, const glnn_matrix *matrix, const glnn__blocks *blocks,
                        float *texels)
{
    glnn__texture *texture = matrix->texture;
    glnn__textures *textures = ctx->slots[GLNN__SLOT_TEXTURES].state;
    glnn__barrier_note(textures, texture, GLNN__USE_FIXED);
    glnn__barrier_wait(textures);
    glBindFramebuffer(GL_FRAMEBUFFER, textures->scratch_framebuffer);
    slab s;
    for (int i = 0; next_slab(matrix, blocks, i, &s); ++i) {
        if (texture->target == GL_TEXTURE_2D_ARRAY)
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture->name, 0,
                                      s.layer);
        else
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                   texture->name, 0);
        glReadPixels(s.x, s.y, s.width, s.height, texel_format(matrix), GL_FLOAT,
                     (void *)((uintptr_t)texels + s.first_float * sizeof(float)));
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    ctx->bindings_age++;
    ctx->counters.bytes_downloaded += glnn__blocks_floats(matrix->layout, blocks) * sizeof(float);
}

static glnn_status check_transfer(glnn_context *ctx, const glnn_matrix *matrix,
                                  const glnn_rect *rect, const void *data, int *ld, glnn_rect *out)
{
    if (!ctx || !matrix || !data)
        return glnn__fail(GLNN_E_ARG, "a transfer of a matrix: an argument is null");
    if (matrix->ctx != ctx)
        return glnn__fail(GLNN_E_ARG, "%s: belongs to another context", matrix->name);
    GLNN__TRY(glnn__matrix_rect(matrix, rect, out));
    if (*ld == 0)
        *ld = out->columns;
    if (*ld < out->columns)
        return glnn__fail(GLNN_E_ARG, "%s: a leading dimension of %d is less than %d columns",
                          matrix->name, *ld, out->columns);
    return GLNN_OK;
}

static glnn_status upload(glnn_context *ctx, glnn_matrix *matrix, const glnn_rect *rect,
                          const float *data, int ld)
{
    const glnn__blocks blocks = glnn__layout_cover(matrix->layout, rect);
    float *texels = calloc(glnn__blocks_floats(matrix->layout, &blocks), sizeof *texels);
    if (!texels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to pack %d x %d elements", matrix->name,
                          rect->rows, rect->columns);
    if (!glnn__layout_is_whole(matrix->layout, rect, matrix->rows, matrix->columns)) {
        read_blocks(ctx, matrix, &blocks, texels);
        ctx->counters.waits++;
    }
    glnn__layout_pack(matrix->layout, rect, data, ld, texels);
    glnn__matrix_write_blocks(ctx, matrix, &blocks, texels);
    free(texels);
    return glnn__gl_check(ctx, "uploading %s", matrix->name);
}

glnn_status glnn_matrix_upload(glnn_context *ctx, glnn_matrix *matrix, const glnn_rect *rect,
                               const float *data, int ld)
{
    glnn_rect checked;
    GLNN__TRY(check_transfer(ctx, matrix, rect, data, &ld, &checked));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, upload(ctx, matrix, &checked, data, ld));
}

static glnn_status download(glnn_context *ctx, const glnn_matrix *matrix, const glnn_rect *rect,
                            float *data, int ld)
{
    const glnn__blocks blocks = glnn__layout_cover(matrix->layout, rect);
    float *texels = malloc(glnn__blocks_floats(matrix->layout, &blocks) * sizeof *texels);
    if (!texels)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to unpack %d x %d elements", matrix->name,
                          rect->rows, rect->columns);
    read_blocks(ctx, matrix, &blocks, texels);
    ctx->counters.waits++;
    glnn_status status = glnn__gl_check(ctx, "downloading %s", matrix->name);
    if (!status)
        glnn__layout_unpack(matrix->layout, rect, texels, data, ld);
    free(texels);
    return status;
}

glnn_status glnn_matrix_download(glnn_context *ctx, const glnn_matrix *matrix,
                                 const glnn_rect *rect, float *data, int ld)
{
    glnn_rect checked;
    GLNN__TRY(check_transfer(ctx, matrix, rect, data, &ld, &checked));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, download(ctx, matrix, &checked, data, ld));
}

static glnn__blocks all_blocks(const glnn_matrix *matrix)
{
    const glnn_rect whole = {0, 0, matrix->rows, matrix->columns};
    return glnn__layout_cover(matrix->layout, &whole);
}

size_t glnn__matrix_texel_floats(const glnn_matrix *matrix)
{
    const glnn__blocks blocks = all_blocks(matrix);
    return glnn__blocks_floats(matrix->layout, &blocks);
}

glnn_status glnn__matrix_read_texels(glnn_context *ctx, const glnn_matrix *matrix, float *texels)
{
    const glnn__blocks blocks = all_blocks(matrix);
    GLNN__TRY(glnn__gl_enter(ctx));
    read_blocks(ctx, matrix, &blocks, texels);
    ctx->counters.waits++;
    return glnn__gl_leave(ctx, glnn__gl_check(ctx, "reading the texels of %s", matrix->name));
}

struct glnn_download {
    glnn_context *ctx;
    GLuint buffer;
    GLsync fence;
    glnn_layout layout;
    glnn_rect rect;
    size_t bytes;
};

static glnn_status begin_download(glnn_download *download, const glnn_matrix *matrix)
{
    const glnn__blocks blocks = glnn__layout_cover(matrix->layout, &download->rect);
    download->bytes = glnn__blocks_floats(matrix->layout, &blocks) * sizeof(float);
    glGenBuffers(1, &download->buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, download->buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)download->bytes, NULL, GL_STREAM_READ);
    read_blocks(download->ctx, matrix, &blocks, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    download->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    return glnn__gl_check(download->ctx, "starting to download %s", matrix->name);
}

glnn_status glnn_download_begin(glnn_context *ctx, const glnn_matrix *matrix, const glnn_rect *rect,
                                glnn_download **out)
{
    if (!out)
        return glnn__fail(GLNN_E_ARG, "glnn_download_begin: `out` is null");
    *out = NULL;
    glnn_rect checked;
    int ld = 0;
    GLNN__TRY(check_transfer(ctx, matrix, rect, out, &ld, &checked));
    glnn_download *download = calloc(1, sizeof *download);
    if (!download)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a download", matrix->name);
    download->ctx = ctx;
    download->layout = matrix->layout;
    download->rect = checked;

    glnn_status status = glnn__gl_enter(ctx);
    if (!status)
        status = glnn__gl_leave(ctx, begin_download(download, matrix));
    if (status)
        glnn_download_end(download, NULL, 0);
    else
        *out = download;
    return status;
}

bool glnn_download_ready(glnn_download *download)
{
    if (!download || glnn__gl_enter(download->ctx))
        return false;
    GLenum state = glClientWaitSync(download->fence, 0, 0);
    glnn__gl_leave(download->ctx, GLNN_OK);
    return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

static glnn_status end_download(glnn_download *download, float *data, int ld)
{
    glnn_context *ctx = download->ctx;
    if (!data)
        return GLNN_OK;
    if (ld < download->rect.columns)
        return glnn__fail(GLNN_E_ARG, "a download of %d columns with a leading dimension of %d",
                          download->rect.columns, ld);
    GLenum state = glClientWaitSync(download->fence, 0, 0);
    if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED)
        ctx->counters.waits++;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, download->buffer);
    const float *texels =
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)download->bytes, GL_MAP_READ_BIT);
    if (texels) {
        glnn__layout_unpack(download->layout, &download->rect, texels, data, ld);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return glnn__gl_check(ctx, "ending a download of %zu bytes", download->bytes);
}

glnn_status glnn_download_end(glnn_download *download, float *data, int ld)
{
    if (!download)
        return GLNN_OK;
    glnn_status status = glnn__gl_enter(download->ctx);
    if (!status) {
        status = end_download(download, data, ld ? ld : download->rect.columns);
        glDeleteSync(download->fence);
        glDeleteBuffers(1, &download->buffer);
        status = glnn__gl_leave(download->ctx, status);
    }
    free(download);
    return status;
}
