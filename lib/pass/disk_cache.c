#include "pass/disk_cache.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/string.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The start of a file, in the machine's byte order. */
typedef struct header {
    char magic[8];
    glnn__cache_key key;
    uint32_t format;
    uint32_t size;
    uint64_t checksum; /* of the fields before it and the binary after it */
} header;

static const char magic[8] = "glnnbin1";

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

#define FNV_START UINT64_C(14695981039346656037)

glnn__cache_key glnn__disk_cache_key(const glnn_context *ctx, const char *text, size_t size)
{
    const char *const names[] = {ctx->info.vendor, ctx->info.renderer, ctx->info.version};
    glnn__cache_key key = {~FNV_START, FNV_START};
    for (int i = 0; i < 3; ++i) {
        key.high = hash_bytes(key.high, names[i], strlen(names[i]) + 1);
        key.low = hash_bytes(key.low, names[i], strlen(names[i]) + 1);
    }
    key.high = hash_bytes(key.high, text, size);
    key.low = hash_bytes(key.low, text, size);
    return key;
}

static char *choose_folder(const glnn_context *ctx)
{
    if (ctx->desc.cache_dir)
        return *ctx->desc.cache_dir ? glnn__string_copy(ctx->desc.cache_dir) : NULL;
    char *caches = glnn__folder_of_caches(),
         *folder = caches ? glnn__path_join(caches, "glnn") : NULL;
    free(caches);
    return folder;
}

char *glnn__disk_cache_folder(const glnn_context *ctx)
{
    char *folder = choose_folder(ctx);
    if (folder && glnn__folder_make(folder) != GLNN_OK) {
        glnn__log(GLNN_LOG_INFO, "there is no cache: %s", glnn_last_error());
        free(folder);
        folder = NULL;
    }
    return folder;
}

static char *file_path(const char *folder, const glnn__cache_key *key)
{
    char name[40];
    snprintf(name, sizeof name, "%016llx%016llx.bin", (unsigned long long)key->high,
             (unsigned long long)key->low);
    return glnn__path_join(folder, name);
}

static uint64_t checksum_of(const header *h, const void *binary)
{
    const uint64_t hash = hash_bytes(FNV_START, h, offsetof(header, checksum));
    return hash_bytes(hash, binary, h->size);
}

static bool is_ours(const header *h, const glnn__cache_key *key, const unsigned char *data,
                    size_t size)
{
    return memcmp(h->magic, magic, sizeof magic) == 0 && h->key.high == key->high &&
           h->key.low == key->low && h->size == size - sizeof *h &&
           h->checksum == checksum_of(h, data + sizeof *h);
}

static bool load(glnn_context *ctx, const char *path, const glnn__cache_key *key, GLuint program)
{
    unsigned char *data;
    size_t size;
    GLint linked = GL_FALSE;
    if (!glnn__file_is_readable(path) || glnn__file_read(path, &data, &size) != GLNN_OK)
        return false;
    header h;
    if (size > sizeof h) {
        memcpy(&h, data, sizeof h);
        if (is_ours(&h, key, data, size)) {
            glProgramBinary(program, h.format, data + sizeof h, (GLsizei)h.size);
            glGetProgramiv(program, GL_LINK_STATUS, &linked);
        }
    }
    free(data);
    if (linked) {
        ctx->counters.programs_loaded++;
    } else {
        glnn__log(GLNN_LOG_INFO, "%s: not usable, compiled anew", path);
        /* A refused binary may leave an OpenGL error, which is not the caller's. */
        while (glGetError() != GL_NO_ERROR)
            ;
        ctx->gl_error[0] = 0;
    }
    return linked;
}

bool glnn__disk_cache_load(glnn_context *ctx, const char *folder, const glnn__cache_key *key,
                           GLuint program)
{
    char *path = folder ? file_path(folder, key) : NULL;
    const bool is_loaded = path && load(ctx, path, key, program);
    free(path);
    return is_loaded;
}

void glnn__disk_cache_store(const char *folder, const glnn__cache_key *key, GLuint program)
{
    GLint size = 0;
    if (!folder)
        return;
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    void *binary = size > 0 ? malloc((size_t)size) : NULL;
    if (!binary)
        return;
    header h = {.key = *key};
    memcpy(h.magic, magic, sizeof magic);
    GLsizei written = 0;
    glGetProgramBinary(program, size, &written, &h.format, binary);
    h.size = (uint32_t)written;
    h.checksum = checksum_of(&h, binary);

    char *path = file_path(folder, key);
    const glnn__span spans[] = {{&h, sizeof h}, {binary, h.size}};
    if (path && written > 0 && glnn__file_replace(path, spans, 2) != GLNN_OK)
        glnn__log(GLNN_LOG_INFO, "a compiled program is not stored: %s", glnn_last_error());
    free(path);
    free(binary);
}
