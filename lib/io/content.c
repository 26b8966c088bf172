#include "io/content.h"

#include "base/file.h"
#include "base/status.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* zlib's number for the gzip format with the largest window. */
#define GZIP_WINDOW_BITS (15 + 16)

static uInt clip_to_uint(size_t size)
{
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

/* Reads bytes of the file as they are. */
static glnn_status fetch(glnn__content *in, unsigned char *to, size_t size, size_t *got)
{
    GLNN__TRY(glnn__file_read_up_to(in->file, in->path, in->fetched, size, to, got));
    in->fetched += *got;
    return GLNN_OK;
}

/* Moves the unused bytes of the chunk to its start and fills the rest from the file. */
static glnn_status refill(glnn__content *in)
{
    size_t got;
    if (in->stream.avail_in > 0)
        memmove(in->chunk, in->stream.next_in, in->stream.avail_in);
    in->stream.next_in = in->chunk;
    GLNN__TRY(
        fetch(in, in->chunk + in->stream.avail_in, sizeof in->chunk - in->stream.avail_in, &got));
    in->stream.avail_in += (uInt)got;
    return GLNN_OK;
}

static bool is_gzip_next(const z_stream *stream)
{
    return stream->avail_in >= 2 && stream->next_in[0] == 0x1F && stream->next_in[1] == 0x8B;
}

/* Judges how zlib has begun. */
static glnn_status begin(const char *doing, const char *path, int result)
{
    if (result == Z_OK)
        return GLNN_OK;
    if (result == Z_VERSION_ERROR)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: this libglnn was built without zlib, so it cannot %s gzip", path,
                          doing);
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory to %s gzip", path, doing);
}

static glnn_status start(glnn__content *in)
{
    GLNN__TRY(refill(in));
    in->is_packed = is_gzip_next(&in->stream);
    return in->is_packed ? begin("unpack", in->path, inflateInit2(&in->stream, GZIP_WINDOW_BITS))
                         : GLNN_OK;
}

glnn_status glnn__content_open(const char *path, glnn__content *content)
{
    content->path = path;
    content->fetched = content->given = 0;
    content->is_packed = content->is_ended = false;
    content->stream = (z_stream){0};
    GLNN__TRY(glnn__file_open_regular(path, &content->file, &content->file_size));
    const glnn_status status = start(content);
    if (status)
        glnn__file_close(content->file);
    return status;
}

void glnn__content_close(glnn__content *content)
{
    if (content->is_packed)
        inflateEnd(&content->stream);
    glnn__file_close(content->file);
}

/* A gzip file may consist of several compressed members. */
static glnn_status next_member(glnn__content *in)
{
    size_t rest;
    if (in->stream.avail_in < 2)
        GLNN__TRY(refill(in));
    in->is_ended = in->stream.avail_in == 0;
    if (in->is_ended || is_gzip_next(&in->stream)) {
        inflateReset(&in->stream);
        return GLNN_OK;
    }
    rest = in->stream.avail_in + in->file_size - in->fetched;
    return glnn__fail(GLNN_E_FORMAT, "%s: %zu other bytes follow the gzip data", in->path, rest);
}

static glnn_status fail_packed(const glnn__content *in, int result)
{
    if (result == Z_BUF_ERROR)
        return glnn__fail(GLNN_E_FORMAT, "%s: the gzip data are cut off after %zu bytes", in->path,
                          in->file_size);
    if (result == Z_MEM_ERROR)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to unpack gzip", in->path);
    return glnn__fail(GLNN_E_FORMAT, "%s: the gzip data are damaged: %s", in->path,
                      in->stream.msg ? in->stream.msg : "unknown error");
}

static glnn_status unpack(glnn__content *in, unsigned char *to, size_t size, size_t *got)
{
    z_stream *stream = &in->stream;
    for (*got = 0; *got < size && !in->is_ended;) {
        if (stream->avail_in == 0)
            GLNN__TRY(refill(in));
        stream->next_out = to + *got;
        stream->avail_out = clip_to_uint(size - *got);
        const int result = inflate(stream, Z_NO_FLUSH);
        *got = (size_t)(stream->next_out - to);
        if (result == Z_STREAM_END)
            GLNN__TRY(next_member(in));
        else if (result != Z_OK)
            return fail_packed(in, result);
    }
    return GLNN_OK;
}

static glnn_status copy(glnn__content *in, unsigned char *to, size_t size, size_t *got)
{
    const uInt chunk = in->stream.avail_in, first = size < chunk ? (uInt)size : chunk;
    memcpy(to, in->stream.next_in, first);
    in->stream.next_in += first;
    in->stream.avail_in -= first;
    GLNN__TRY(fetch(in, to + first, size - first, got));
    *got += first;
    return GLNN_OK;
}

glnn_status glnn__content_read(glnn__content *in, void *to, size_t size, size_t *got)
{
    GLNN__TRY((in->is_packed ? unpack : copy)(in, to, size, got));
    in->given += *got;
    return GLNN_OK;
}

static glnn_status fail_size(const glnn__content *in, const char *sizes, size_t size,
                             const char *about, size_t found)
{
    return glnn__fail(
        GLNN_E_FORMAT,
        "%s: after a header of %zu bytes, the sizes %s require %zu bytes, but there are "
        "%s%zu",
        in->path, in->given, sizes, size, about, found);
}

/* The most bytes that the content can have when it is unpacked. */
static size_t most_of(const glnn__content *in)
{
    const size_t ratio = in->is_packed ? GLNN__DEFLATE_MAX_RATIO : 1;
    return in->file_size < SIZE_MAX / ratio ? in->file_size * ratio : SIZE_MAX;
}

static glnn_status read_exactly(glnn__content *in, const char *sizes, size_t size, void *to)
{
    const size_t before = in->given;
    size_t got, more = 0;
    char past;
    GLNN__TRY(glnn__content_read(in, to, size, &got));
    if (got == size)
        GLNN__TRY(glnn__content_read(in, &past, 1, &more));
    in->given = before;
    return got + more == size ? GLNN_OK : fail_size(in, sizes, size, more ? "more than " : "", got);
}

glnn_status glnn__content_read_rest(glnn__content *in, const char *sizes, size_t size, void **data)
{
    const size_t most = most_of(in) > in->given ? most_of(in) - in->given : 0;
    if (size > most || (!in->is_packed && size < most))
        return fail_size(in, sizes, size, in->is_packed ? "at most " : "", most);
    void *rest = malloc(size);
    if (!rest)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", in->path, size);
    const glnn_status status = read_exactly(in, sizes, size, rest);
    if (status)
        free(rest);
    else
        *data = rest;
    return status;
}

static int deflate_all(z_stream *stream, unsigned char *data, size_t size, size_t capacity)
{
    unsigned char *packed = stream->next_out;
    int result;
    stream->next_in = data;
    do {
        size_t left = size - (size_t)(stream->next_in - data);
        stream->avail_in = clip_to_uint(left);
        stream->avail_out = clip_to_uint(capacity - (size_t)(stream->next_out - packed));
        result = deflate(stream, left > UINT_MAX ? Z_NO_FLUSH : Z_FINISH);
    } while (result == Z_OK);
    return result;
}

glnn_status glnn__content_pack(const char *path, unsigned char *data, size_t size,
                               unsigned char **packed, size_t *packed_size)
{
    z_stream stream = {0};
    GLNN__TRY(begin("write", path,
                    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, 8,
                                 Z_DEFAULT_STRATEGY)));
    const size_t capacity = deflateBound(&stream, size);
    stream.next_out = *packed = malloc(capacity);
    const bool done = *packed && deflate_all(&stream, data, size, capacity) == Z_STREAM_END;
    *packed_size = done ? (size_t)(stream.next_out - *packed) : 0;
    deflateEnd(&stream);
    if (done)
        return GLNN_OK;
    free(*packed);
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu compressed bytes", path, capacity);
}
