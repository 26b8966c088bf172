/* Copies of texels between main memory or pixel buffers and textures, and uploads that can wait. */
#include "base/half.h"
#include "base/status.h"
#include "base/unorm8.h"
#include "gl/lifetime.h"
#include "tex/buffer.h"
#include "tex/matrix.h"

#include <stdlib.h>
#include <string.h>

/* Floats packed at a time: few enough to be in a cache when the driver copies them. */
#define STRIPE_FLOATS ((size_t)1 << 18)

/* A rectangle in some layers, and the place of its texels in main memory or a pixel buffer. */
typedef struct slab {
    int layer, layers, x, y, width, height;
    size_t first_float;
} slab;

glnn__blocks glnn__matrix_cover(const glnn_matrix *matrix, const glnn_rect *rect)
{
    return glnn__layout_cover_texels(glnn__layout_of(matrix), matrix->texture->extent.wrap, rect);
}

/* Divides a rectangle of texels into slabs: one with all layers of a block, or one for each
 * page. Returns false after the last one. */
static bool next_slab(const glnn_matrix *matrix, const glnn__blocks *blocks, int index, slab *out)
{
    const int layers = glnn__layout_of(matrix)->block_layers;
    *out = (slab){0, layers, blocks->x, blocks->y, blocks->width, blocks->height, 0};
    if (matrix->layout != GLNN_LAYOUT_PAGED)
        return index == 0;
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
    return glnn__layout_of(matrix)->channels == 1 ? GL_RED : GL_RGBA;
}

/* The type of the numbers that are uploaded. */
static const GLenum types[GLNN_STORAGE_COUNT] = {
    [GLNN_STORAGE_FLOAT32] = GL_FLOAT,
    [GLNN_STORAGE_FLOAT16] = GL_HALF_FLOAT,
    [GLNN_STORAGE_UNORM8] = GL_UNSIGNED_BYTE,
};

void glnn__matrix_write_blocks(glnn_context *ctx, const glnn_matrix *matrix,
                               const glnn__blocks *blocks, size_t first_byte)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    glnn__texture *texture = matrix->texture;
    const size_t count = glnn__blocks_floats(glnn__layout_of(matrix), blocks);
    const size_t element = glnn__storage_bytes(matrix->storage);
    const GLenum type = types[matrix->storage];
    glnn__barrier_note(&textures->barriers, &texture->uses, GLNN__USE_FIXED);
    glnn__barrier_wait(&textures->barriers);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(texture->target, texture->name);
    slab s;
    for (int i = 0; next_slab(matrix, blocks, i, &s); ++i) {
        const void *data = (const void *)(first_byte + s.first_float * element);
        if (texture->target == GL_TEXTURE_2D_ARRAY)
            glTexSubImage3D(texture->target, texture->level, s.x, s.y, texture->layer + s.layer,
                            s.width, s.height, s.layers, texel_format(matrix), type, data);
        else
            glTexSubImage2D(texture->target, texture->level, s.x, s.y, s.width, s.height,
                            texel_format(matrix), type, data);
    }
    glnn__gl_note_transfer(ctx);
    ctx->counters.bytes_uploaded += count * element;
}

/* Whether the driver converts the attached texture to floats in its own number of channels. OpenGL
 * ES reads floats as RGBA, and in one format that the driver chooses. */
static bool reads_floats(const glnn_context *ctx, const glnn_matrix *matrix)
{
    const GLenum format = texel_format(matrix);
    if (glnn__gl_offers(ctx, GLNN__OFFERS_TEXTURE_READS))
        return true;
    if (matrix->storage == GLNN_STORAGE_UNORM8)
        return false;
    return format == GL_RGBA ||
           (glnn__gl_integer(GL_IMPLEMENTATION_COLOR_READ_FORMAT) == (GLint)format &&
            glnn__gl_integer(GL_IMPLEMENTATION_COLOR_READ_TYPE) == GL_FLOAT);
}

/* Takes the floats of a matrix out of texels of four channels, in place. The first are read last
 * where they would be written over, so bytes are taken from the end. */
static void take_floats(const glnn_matrix *matrix, void *texels, size_t count)
{
    const size_t channels = (size_t)glnn__layout_of(matrix)->channels;
    const unsigned char *bytes = texels;
    float *floats = texels;
    if (matrix->storage == GLNN_STORAGE_UNORM8)
        for (size_t i = 4 * count; i-- > 0;)
            floats[i] = (float)bytes[i] / 255;
    for (size_t i = 0; i < count * channels; ++i)
        floats[i] = floats[i / channels * 4 + i % channels];
}

/* Reads the attached texture to main memory in a format that every driver has, and moves the floats
 * to where they belong. */
static glnn_status read_and_convert(const glnn_matrix *matrix, const slab *s, size_t first,
                                    float *texels)
{
    const GLuint buffer = (GLuint)glnn__gl_integer(GL_PIXEL_PACK_BUFFER_BINDING);
    const size_t count = (size_t)s->width * (size_t)s->height;
    const size_t bytes = count * (size_t)glnn__layout_of(matrix)->channels * sizeof(float);
    void *read = malloc(count * 4 * sizeof(float));
    if (!read)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to read %zu texels", matrix->name, count);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glReadPixels(s->x, s->y, s->width, s->height, GL_RGBA,
                 matrix->storage == GLNN_STORAGE_UNORM8 ? GL_UNSIGNED_BYTE : GL_FLOAT, read);
    take_floats(matrix, read, count);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    if (buffer)
        glBufferSubData(GL_PIXEL_PACK_BUFFER, (GLintptr)(first * sizeof(float)), (GLsizeiptr)bytes,
                        read);
    else
        memcpy(texels + first, read, bytes);
    free(read);
    return GLNN_OK;
}

static glnn_status read_layer(const glnn_context *ctx, const glnn_matrix *matrix, const slab *s,
                              size_t first, float *texels)
{
    if (!reads_floats(ctx, matrix))
        return read_and_convert(matrix, s, first, texels);
    glReadPixels(s->x, s->y, s->width, s->height, texel_format(matrix), GL_FLOAT,
                 (void *)((uintptr_t)texels + first * sizeof(float)));
    return GLNN_OK;
}

static glnn_status read_layers(const glnn_context *ctx, const glnn_matrix *matrix,
                               const glnn__blocks *blocks, size_t layer_floats, float *texels)
{
    glnn_status status = GLNN_OK;
    slab s;
    glBindFramebuffer(GL_FRAMEBUFFER, glnn__textures_of(ctx)->scratch_framebuffer);
    for (int i = 0; next_slab(matrix, blocks, i, &s); ++i)
        for (int l = 0; l < s.layers && !status; ++l) {
            glnn__texture_attach(matrix->texture, 0, s.layer + l);
            status = read_layer(ctx, matrix, &s, s.first_float + (size_t)l * layer_floats, texels);
        }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    return status;
}

/* Reading all layers at once is faster than one after the other, but OpenGL only reads whole
 * textures so. */
static bool is_read_at_once(const glnn_context *ctx, const glnn_matrix *matrix,
                            const glnn__blocks *blocks)
{
    const glnn__texture *texture = matrix->texture;
    const int layers = glnn__layout_of(matrix)->block_layers;
    return glnn__gl_offers(ctx, GLNN__OFFERS_TEXTURE_READS) && blocks->width == texture->width &&
           blocks->height == texture->height && layers == texture->extent.layers &&
           !texture->is_shared;
}

/* The driver converts every storage to floats, which is exact. */
glnn_status glnn__matrix_read_blocks(glnn_context *ctx, const glnn_matrix *matrix,
                                     const glnn__blocks *blocks, float *texels)
{
    const size_t count = glnn__blocks_floats(glnn__layout_of(matrix), blocks);
    const glnn__texture *texture = matrix->texture;
    const int layers = glnn__layout_of(matrix)->block_layers;
    glnn__textures *textures = glnn__textures_of(ctx);
    glnn_status status = GLNN_OK;
    glnn__barrier_note(&textures->barriers, &matrix->texture->uses, GLNN__USE_FIXED);
    glnn__barrier_wait(&textures->barriers);
    /* llvmpipe can read a texture before the passes that write it have ended, if an upload to it
     * preceded them. */
    if (ctx->info.software)
        glFinish();
    if (is_read_at_once(ctx, matrix, blocks)) {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(texture->target, texture->name);
        glGetTexImage(texture->target, 0, texel_format(matrix), GL_FLOAT, texels);
    } else {
        status = read_layers(ctx, matrix, blocks, count / (size_t)layers, texels);
    }
    glnn__gl_note_transfer(ctx);
    ctx->counters.bytes_downloaded += count * sizeof(float);
    return status;
}

glnn_status glnn__matrix_check_transfer(const char *function, glnn_context *ctx,
                                        const glnn_matrix *matrix, const glnn_rect *rect, int *ld,
                                        glnn_rect *out)
{
    GLNN__TRY(glnn__context_check(function, NULL, ctx));
    if (matrix->ctx != ctx)
        return glnn__fail(GLNN_E_ARG, "%s: %s belongs to another context", function, matrix->name);
    GLNN__TRY(glnn__matrix_check_full(function, matrix));
    GLNN__TRY(glnn__matrix_rect(function, matrix, rect, out));
    if (*ld == 0)
        *ld = out->columns;
    if (*ld < out->columns)
        return glnn__fail(GLNN_E_ARG,
                          "%s: ld is %d, but the rectangle of %s has %d columns; ld must be at "
                          "least as large",
                          function, *ld, matrix->name, out->columns);
    return GLNN_OK;
}

static size_t floats_of(const glnn_matrix *matrix, const glnn_rect *rect)
{
    const glnn__blocks blocks = glnn__matrix_cover(matrix, rect);
    return glnn__blocks_floats(glnn__layout_of(matrix), &blocks);
}

/* The rows of `rect` from `begin` on whose texels have at most `floats`, which must be enough for
 * one row of texels. */
static glnn_rect stripe_from(const glnn_matrix *matrix, const glnn_rect *rect, int begin,
                             size_t floats)
{
    const int rows = glnn__layout_of(matrix)->block_rows << matrix->texture->extent.wrap;
    const glnn_rect line = {begin, rect->column, 1, rect->columns};
    const int lines = (int)(floats / floats_of(matrix, &line));
    const int64_t end = (int64_t)(begin / rows + lines) * rows;
    const int last = rect->row + rect->rows;
    return (glnn_rect){begin, rect->column, (end < last ? (int)end : last) - begin, rect->columns};
}

/* Maps an unused pixel buffer. If a texture has been rendered to, drivers copy a pixel buffer into
 * it many times faster than main memory. */
static glnn_status map_buffer(glnn_context *ctx, size_t bytes, void **mapped)
{
    glnn__textures *textures = glnn__textures_of(ctx);
    if (!textures->upload_buffer)
        glGenBuffers(1, &textures->upload_buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, textures->upload_buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    return glnn__buffer_map(ctx, GL_PIXEL_UNPACK_BUFFER, textures->upload_buffer, bytes,
                            GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT, mapped);
}

static glnn_status write_mapped(glnn_context *ctx, const glnn_matrix *matrix,
                                const glnn__blocks *blocks, size_t bytes, void *mapped)
{
    const glnn__textures *textures = glnn__textures_of(ctx);
    GLNN__TRY(
        glnn__buffer_unmap(ctx, GL_PIXEL_UNPACK_BUFFER, textures->upload_buffer, bytes, mapped));
    glnn__matrix_write_blocks(ctx, matrix, blocks, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return glnn__gl_check(ctx, "uploading %s", matrix->name);
}

/* A host can have numbers in the channels that are padding of the matrix. */
static void clear_unused_channels(const glnn_matrix *matrix, float *texels, size_t count)
{
    const int used = matrix->texture->channels;
    const int channels = glnn__layout_of(matrix)->channels;
    for (size_t i = 0; i < count && used < channels; ++i)
        if ((int)(i % (size_t)channels) >= used)
            texels[i] = 0;
}

/* Packs directly into the pixel buffer if nothing has to be read there. Drivers round to 16 bits in
 * different ways, so the library rounds itself. */
static glnn_status upload_stripe(glnn_context *ctx, glnn_matrix *matrix, const glnn_rect *rect,
                                 const float *data, int ld, float *staging)
{
    const glnn__blocks blocks = glnn__matrix_cover(matrix, rect);
    const size_t count = glnn__blocks_floats(glnn__layout_of(matrix), &blocks);
    const size_t bytes = count * glnn__storage_bytes(matrix->storage);
    const bool is_half = matrix->storage == GLNN_STORAGE_FLOAT16;
    const bool is_mapped = matrix->storage == GLNN_STORAGE_FLOAT32;
    const int wrap = matrix->texture->extent.wrap;
    const bool is_whole =
        glnn__layout_is_whole(glnn__layout_of(matrix), wrap, rect, matrix->rows, matrix->columns);
    void *mapped;
    GLNN__TRY(map_buffer(ctx, bytes, &mapped));
    float *texels = is_whole && is_mapped ? mapped : staging;
    if (!is_whole) {
        const glnn_status status = glnn__matrix_read_blocks(ctx, matrix, &blocks, texels);
        if (status) {
            glnn__buffer_unmap(ctx, GL_PIXEL_UNPACK_BUFFER, glnn__textures_of(ctx)->upload_buffer,
                               bytes, mapped);
            return status;
        }
        ctx->counters.waits++;
    } else if (count > (size_t)rect->rows * (size_t)rect->columns) {
        memset(texels, 0, count * sizeof *texels);
    }
    glnn__layout_pack(glnn__layout_of(matrix), wrap, rect, data, ld, texels);
    clear_unused_channels(matrix, texels, count);
    if (is_half)
        glnn__halves_in_place(texels, count);
    else if (matrix->storage == GLNN_STORAGE_UNORM8)
        glnn__unorm8_in_place(texels, count);
    if (texels != mapped)
        memcpy(mapped, texels, bytes);
    return write_mapped(ctx, matrix, &blocks, bytes, mapped);
}

static glnn_status upload(glnn_context *ctx, glnn_matrix *matrix, const glnn_rect *rect,
                          const float *data, int ld)
{
    const glnn_rect line = {rect->row, rect->column, 1, rect->columns};
    GLNN__TRY(glnn__gl_claim(ctx, GLNN__PARTS_COPY));
    GLNN__TRY(glnn__texture_look(ctx, matrix->name, matrix->texture));
    const size_t least = floats_of(matrix, &line), most = floats_of(matrix, rect);
    size_t floats = most < STRIPE_FLOATS ? most : STRIPE_FLOATS;
    if (floats < least)
        floats = least;
    float *staging = malloc(floats * sizeof *staging);
    if (!staging)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to pack %zu elements", matrix->name, floats);
    const int end = rect->row + rect->rows;
    glnn_status status = GLNN_OK;
    for (int row = rect->row; row < end && !status;) {
        const glnn_rect stripe = stripe_from(matrix, rect, row, floats);
        const float *first = data + (size_t)(row - rect->row) * (size_t)ld;
        status = upload_stripe(ctx, matrix, &stripe, first, ld, staging);
        row += stripe.rows;
    }
    free(staging);
    return status;
}

glnn_status glnn_matrix_upload(glnn_context *ctx, glnn_matrix *matrix, const glnn_rect *rect,
                               const float *data, int ld)
{
    glnn_rect checked;
    GLNN__NOT_NULL(ctx);
    GLNN__NOT_NULL(matrix);
    GLNN__NOT_NULL(data);
    GLNN__TRY(glnn__matrix_check_transfer(__func__, ctx, matrix, rect, &ld, &checked));
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, upload(ctx, matrix, &checked, data, ld));
}
