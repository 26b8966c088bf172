#include "io/gzip.h"

#include "base/file.h"
#include "base/status.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* zlib's number for the gzip format with the largest window. */
#define GZIP_WINDOW_BITS (15 + 16)

static bool starts_with_gzip(const unsigned char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

static uInt clip_to_uint(size_t size)
{
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

glnn_status glnn__content_open(const char *path, glnn__content *content)
{
    *content = (glnn__content){.path = path};
    unsigned char *bytes;
    size_t size;
    GLNN__TRY(glnn__file_read(path, &bytes, &size));
    if (!starts_with_gzip(bytes, size)) {
        content->bytes = bytes;
        content->size = size;
        content->ended = true;
        return GLNN_OK;
    }
    content->packed = bytes;
    content->packed_size = size;
    if (inflateInit2(&content->stream, GZIP_WINDOW_BITS) != Z_OK) {
        free(bytes);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to unpack gzip", path);
    }
    return GLNN_OK;
}

void glnn__content_close(glnn__content *content)
{
    if (content->packed)
        inflateEnd(&content->stream);
    free(content->packed);
    free(content->bytes);
    *content = (glnn__content){0};
}

static glnn_status grow(glnn__content *content, size_t wanted)
{
    if (content->size < content->capacity)
        return GLNN_OK;
    size_t capacity = content->capacity < 1u << 15 ? 1u << 16 : 2 * content->capacity;
    capacity = capacity < wanted ? capacity : wanted;
    unsigned char *bytes = realloc(content->bytes, capacity);
    if (!bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu unpacked bytes", content->path,
                          capacity);
    content->bytes = bytes;
    content->capacity = capacity;
    return GLNN_OK;
}

static int inflate_some(glnn__content *content)
{
    z_stream *stream = &content->stream;
    stream->next_in = content->packed + content->packed_used;
    stream->avail_in = clip_to_uint(content->packed_size - content->packed_used);
    stream->next_out = content->bytes + content->size;
    stream->avail_out = clip_to_uint(content->capacity - content->size);
    int result = inflate(stream, Z_NO_FLUSH);
    content->packed_used = (size_t)(stream->next_in - content->packed);
    content->size = (size_t)(stream->next_out - content->bytes);
    return result;
}

/* A gzip file may consist of several compressed pieces. */
static glnn_status next_member(glnn__content *content)
{
    size_t left = content->packed_size - content->packed_used;
    content->ended = left == 0;
    if (left == 0)
        return GLNN_OK;
    if (!starts_with_gzip(content->packed + content->packed_used, left))
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes of something else follow the gzip data",
                          content->path, left);
    inflateReset(&content->stream);
    return GLNN_OK;
}

glnn_status glnn__content_need(glnn__content *content, size_t size)
{
    while (!content->ended && content->size < size) {
        GLNN__TRY(grow(content, size));
        int result = inflate_some(content);
        if (result == Z_STREAM_END)
            GLNN__TRY(next_member(content));
        else if (result == Z_BUF_ERROR)
            return glnn__fail(GLNN_E_FORMAT, "%s: the gzip data are cut off after %zu bytes",
                              content->path, content->packed_size);
        else if (result == Z_MEM_ERROR)
            return glnn__fail(GLNN_E_NOMEM, "%s: no memory to unpack gzip", content->path);
        else if (result != Z_OK)
            return glnn__fail(GLNN_E_FORMAT, "%s: the gzip data are damaged: %s", content->path,
                              content->stream.msg ? content->stream.msg : "unknown error");
    }
    return GLNN_OK;
}

size_t glnn__content_most(const glnn__content *content)
{
    if (content->ended)
        return content->size;
    return content->packed_size < SIZE_MAX / GLNN__DEFLATE_MAX_RATIO
               ? content->packed_size * GLNN__DEFLATE_MAX_RATIO
               : SIZE_MAX;
}

static int deflate_all(z_stream *stream, unsigned char *data, size_t size, unsigned char *packed,
                       size_t capacity)
{
    int result;
    stream->next_in = data;
    stream->next_out = packed;
    do {
        size_t left = size - (size_t)(stream->next_in - data);
        stream->avail_in = clip_to_uint(left);
        stream->avail_out = clip_to_uint(capacity - (size_t)(stream->next_out - packed));
        result = deflate(stream, left > UINT_MAX ? Z_NO_FLUSH : Z_FINISH);
    } while (result == Z_OK);
    return result;
}

glnn_status glnn__gzip_pack(const char *path, unsigned char *data, size_t size,
                            unsigned char **packed, size_t *packed_size)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to compress", path);
    size_t capacity = deflateBound(&stream, size);
    *packed = malloc(capacity);
    int result = *packed ? deflate_all(&stream, data, size, *packed, capacity) : Z_MEM_ERROR;
    *packed_size = *packed ? (size_t)(stream.next_out - *packed) : 0;
    deflateEnd(&stream);
    if (result == Z_STREAM_END)
        return GLNN_OK;
    free(*packed);
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu compressed bytes", path, capacity);
}
