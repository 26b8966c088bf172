#include "base/file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for files whose length the system reports as 0, as in /proc. */
#define LEAST_CAPACITY 4096

static glnn_status check_regular(const char *path, int file, size_t *size)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return glnn__fail(GLNN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return glnn__fail(GLNN_E_IO, "%s: cannot be read: it is not a regular file", path);
    if ((uintmax_t)info.st_size > SIZE_MAX / 4)
        return glnn__fail(GLNN_E_LIMIT, "%s: the file is larger than memory can address", path);
    *size = (size_t)info.st_size;
    return GLNN_OK;
}

glnn_status glnn__file_open_regular(const char *path, int *file, size_t *size)
{
    if (!*path)
        return glnn__fail(GLNN_E_ARG, "a file cannot be read: the path is empty");
    /* Opening a pipe would wait for a writer. */
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return glnn__fail(GLNN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
    glnn_status status = check_regular(path, *file, size);
    if (status)
        close(*file);
    return status;
}

glnn_status glnn__file_read_at(int file, const char *name, size_t whole, size_t place, size_t size,
                               void *to)
{
    for (size_t done = 0; done < size;) {
        const ssize_t got = pread(file, (char *)to + done, size - done, (off_t)(place + done));
        if (got == 0)
            return glnn__fail(GLNN_E_IO,
                              "%s: the file has become shorter than the %zu bytes it had", name,
                              whole);
        if (got < 0 && errno != EINTR)
            return glnn__fail(GLNN_E_IO, "%s: the file cannot be read: %s", name, strerror(errno));
        done += got > 0 ? (size_t)got : 0;
    }
    return GLNN_OK;
}

/* Bytes that were read, and room for them and a zero byte. */
typedef struct content {
    unsigned char *bytes;
    size_t size, capacity;
} content;

static glnn_status grow(const char *path, size_t capacity, content *to)
{
    unsigned char *bytes = capacity < SIZE_MAX / 2 ? realloc(to->bytes, capacity + 1) : NULL;
    if (!bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, capacity);
    to->bytes = bytes;
    to->capacity = capacity;
    return GLNN_OK;
}

static glnn_status read_all(const char *path, int file, content *to)
{
    for (;;) {
        if (to->size == to->capacity)
            GLNN__TRY(grow(path, 2 * to->capacity, to));
        const ssize_t got = read(file, to->bytes + to->size, to->capacity - to->size);
        if (got < 0 && errno != EINTR)
            return glnn__fail(GLNN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
        if (got == 0)
            return GLNN_OK;
        to->size += got > 0 ? (size_t)got : 0;
    }
}

glnn_status glnn__file_read(const char *path, unsigned char **data, size_t *size)
{
    int file;
    size_t length;
    content to = {0};
    GLNN__TRY(glnn__file_open_regular(path, &file, &length));
    /* One byte more than the file has, so that the end is found without growing the buffer. */
    glnn_status status = grow(path, length < LEAST_CAPACITY ? LEAST_CAPACITY : length + 1, &to);
    if (!status)
        status = read_all(path, file, &to);
    close(file);
    if (status) {
        free(to.bytes);
        return status;
    }
    to.bytes[to.size] = 0;
    *data = to.bytes;
    *size = to.size;
    return GLNN_OK;
}

char *glnn__path_join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
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
        return glnn__fail(GLNN_E_IO, "%s: the folder cannot be created: %s", path, strerror(errno));
    return GLNN_OK;
}
