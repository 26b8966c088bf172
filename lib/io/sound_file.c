#include "io/sound_file.h"

#include "base/file.h"
#include "base/thread.h"

#include <limits.h>
#include <math.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A file in memory, as libsndfile reads it. It is not given the path, because it guesses the format
 * of files without a header by their names. */
typedef struct source {
    const char *path;
    unsigned char *bytes;
    size_t size, place;
} source;

static sf_count_t get_length(void *user)
{
    return (sf_count_t)((const source *)user)->size;
}

static sf_count_t seek(sf_count_t offset, int whence, void *user)
{
    source *from = user;
    const sf_count_t start = whence == SEEK_SET   ? 0
                             : whence == SEEK_CUR ? (sf_count_t)from->place
                                                  : (sf_count_t)from->size;
    if (offset < -start || offset > (sf_count_t)from->size - start)
        return -1;
    from->place = (size_t)(start + offset);
    return (sf_count_t)from->place;
}

static sf_count_t take_bytes(void *to, sf_count_t count, void *user)
{
    source *from = user;
    const sf_count_t left = (sf_count_t)(from->size - from->place);
    count = count < left ? count : left;
    memcpy(to, from->bytes + from->place, (size_t)count);
    from->place += (size_t)count;
    return count;
}

static sf_count_t give_bytes(const void *from, sf_count_t count, void *user)
{
    (void)from;
    (void)count;
    (void)user;
    return 0;
}

static sf_count_t tell(void *user)
{
    return (sf_count_t)((const source *)user)->place;
}

/* ---- The chunks of the file */

static bool is_named(const unsigned char *bytes, const char *name)
{
    return memcmp(bytes, name, 4) == 0;
}

static size_t size_at(const unsigned char *bytes)
{
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

/* Bytes before the chunks, and before the content of a chunk. */
enum { HEAD = 12, CHUNK = 8 };

/* libsndfile reads what is there of a file that is cut off, and says nothing. */
static glnn_status check_chunks(const source *of)
{
    size_t at = HEAD;
    while (of->size - at >= CHUNK) {
        const size_t length = size_at(of->bytes + at + 4), left = of->size - at - CHUNK;
        if (length > left)
            return glnn__fail(
                GLNN_E_FORMAT,
                "%s: the WAV file is cut off: it promises %zu bytes more, but has %zu", of->path,
                length, left);
        if (is_named(of->bytes + at, "data"))
            return GLNN_OK;
        at += CHUNK + length;
        at += length % 2 && at < of->size;
    }
    return glnn__fail(GLNN_E_FORMAT, "%s: the WAV file has no samples", of->path);
}

/* ---- Samples */

/* No compression of WAV files makes more samples of a byte. */
#define MOST_OF_A_BYTE 64

static glnn_status check_sizes(const source *of, const SF_INFO *info)
{
    if (info->frames < 1 || info->channels < 1 || info->samplerate < 1)
        return glnn__fail(GLNN_E_FORMAT, "%s: the WAV file has no samples", of->path);
    if (info->frames > INT_MAX / info->channels)
        return glnn__fail(GLNN_E_LIMIT, "%s: %lld samples of %d channels; at most %d can be read",
                          of->path, (long long)info->frames, info->channels, INT_MAX);
    const size_t samples = (size_t)info->frames * (size_t)info->channels;
    if (samples / MOST_OF_A_BYTE > of->size)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu samples do not fit in a file of %zu bytes",
                          of->path, samples, of->size);
    return GLNN_OK;
}

static glnn_status check_samples(const source *of, const glnn__recording *read)
{
    const size_t count = (size_t)read->length * (size_t)read->channels;
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(read->samples[i]))
            return glnn__fail(GLNN_E_FORMAT, "%s: sample %zu is not finite", of->path,
                              i / (size_t)read->channels);
    return GLNN_OK;
}

static glnn_status read_samples(const source *of, SNDFILE *file, const SF_INFO *info,
                                glnn__recording *out)
{
    GLNN__TRY(check_sizes(of, info));
    *out = (glnn__recording){info->samplerate, info->channels, (int)info->frames,
                             malloc((size_t)info->frames * (size_t)info->channels * sizeof(float))};
    if (!out->samples)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d samples of %d channels", of->path,
                          out->length, out->channels);
    const sf_count_t got = sf_readf_float(file, out->samples, info->frames);
    if (got < info->frames)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the WAV file is damaged: %lld of %d samples are there", of->path,
                          (long long)got, out->length);
    return check_samples(of, out);
}

/* One variable of libsndfile has the reason why it did not open a file, in whichever thread. */
static glnn_status open_source(source *from, SF_VIRTUAL_IO *io, SF_INFO *info, SNDFILE **file)
{
    static glnn__mutex mutex = GLNN__MUTEX;
    glnn_status status = GLNN_OK;
    glnn__mutex_lock(&mutex);
    *file = sf_open_virtual(io, SFM_READ, info, from);
    if (!*file)
        status = glnn__fail(GLNN_E_FORMAT, "%s: libsndfile: %s", from->path, sf_strerror(NULL));
    glnn__mutex_unlock(&mutex);
    return status;
}

static glnn_status read_source(source *from, glnn__recording *out)
{
    SF_VIRTUAL_IO io = {get_length, seek, take_bytes, give_bytes, tell};
    SF_INFO info = {0};
    SNDFILE *file;
    GLNN__TRY(check_chunks(from));
    GLNN__TRY(open_source(from, &io, &info, &file));
    const glnn_status status = read_samples(from, file, &info, out);
    sf_close(file);
    return status;
}

/* Reads the file into memory, unless its first bytes show that it is another one. */
static glnn_status read_bytes(int file, source *to)
{
    unsigned char head[HEAD] = {0};
    const size_t most = (size_t)UINT32_MAX + CHUNK; /* that its head can promise */
    if (to->size >= HEAD)
        GLNN__TRY(glnn__file_read_at(file, to->path, to->size, 0, HEAD, head));
    if (!is_named(head, "RIFF") || !is_named(head + 8, "WAVE"))
        return glnn__fail(GLNN_E_FORMAT, "%s: is not a WAV file", to->path);
    if (to->size > most)
        return glnn__fail(GLNN_E_LIMIT, "%s: %zu bytes; a WAV file has at most %zu", to->path,
                          to->size, most);
    to->bytes = malloc(to->size);
    if (!to->bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", to->path, to->size);
    return glnn__file_read_at(file, to->path, to->size, 0, to->size, to->bytes);
}

glnn_status glnn__sound_file_read(const char *path, glnn__recording *out)
{
    source from = {.path = path};
    int file;
    *out = (glnn__recording){0};
    GLNN__TRY(glnn__file_open_regular(path, &file, &from.size));
    glnn_status status = read_bytes(file, &from);
    glnn__file_close(file);
    if (!status)
        status = read_source(&from, out);
    free(from.bytes);
    if (status) {
        free(out->samples);
        out->samples = NULL;
    }
    return status;
}
