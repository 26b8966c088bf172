#include "base/file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static glnn_status read_all(FILE *file, const char *path, unsigned char **data, size_t *size)
{
    size_t capacity = 1u << 16, used = 0;
    unsigned char *bytes = malloc(capacity + 1);
    while (bytes) {
        used += fread(bytes + used, 1, capacity - used, file);
        if (used < capacity)
            break;
        if (capacity > SIZE_MAX / 4) {
            free(bytes);
            return glnn__fail(GLNN_E_LIMIT, "%s: larger than memory can address", path);
        }
        unsigned char *grown = realloc(bytes, 2 * capacity + 1);
        if (!grown)
            free(bytes);
        bytes = grown;
        capacity *= 2;
    }
    if (!bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for more than %zu bytes", path, used);
    if (ferror(file)) {
        free(bytes);
        return glnn__fail(GLNN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    }
    bytes[used] = 0;
    *data = bytes;
    *size = used;
    return GLNN_OK;
}

glnn_status glnn__file_read(const char *path, unsigned char **data, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return glnn__fail(GLNN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
    glnn_status status = read_all(file, path, data, size);
    fclose(file);
    return status;
}

static bool write_all(int file, const glnn__span *spans, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const char *next = spans[i].data;
        size_t left = spans[i].size;
        while (left > 0) {
            ssize_t written = write(file, next, left);
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return false;
            next += written;
            left -= (size_t)written;
        }
    }
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

glnn_status glnn__file_replace(const char *path, const glnn__span *spans, size_t count)
{
    size_t length = strlen(path) + sizeof ".XXXXXX";
    char *temporary = malloc(length);
    if (!temporary)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a file name", path);
    snprintf(temporary, length, "%s.XXXXXX", path);

    int error = 0;
    int file = mkstemp(temporary);
    if (file < 0) {
        error = errno;
    } else {
        if (!write_all(file, spans, count) || fchmod(file, 0644) != 0)
            error = errno;
        if (close(file) != 0 && !error)
            error = errno;
        if (!error && rename(temporary, path) != 0)
            error = errno;
        if (error)
            unlink(temporary);
    }
    free(temporary);
    if (error)
        return glnn__fail(GLNN_E_IO, "%s: cannot be written: %s", path, strerror(error));
    return GLNN_OK;
}

glnn_status glnn__folder_make(const char *path)
{
    char *part = strdup(path);
    if (!part)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a folder name", path);
    int failed = 0;
    for (char *slash = part + 1; !failed; ++slash) {
        if (*slash != '/' && *slash != 0)
            continue;
        char kept = *slash;
        *slash = 0;
        failed = mkdir(part, 0755) != 0 && errno != EEXIST;
        *slash = kept;
        if (!kept)
            break;
    }
    free(part);
    if (failed)
        return glnn__fail(GLNN_E_IO, "%s: cannot be made: %s", path, strerror(errno));
    return GLNN_OK;
}
