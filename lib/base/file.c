#include "base/file.h"

#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for files whose length the system reports as 0, as in /proc. */
#define LEAST_CAPACITY 4096

glnn_status glnn__file_read_at(int file, const char *name, size_t whole, size_t place, size_t size,
                               void *to)
{
    size_t got;
    GLNN__TRY(glnn__file_read_up_to(file, name, place, size, to, &got));
    return got == size
               ? GLNN_OK
               : glnn__fail(GLNN_E_IO, "%s: the file has become shorter than the %zu bytes it had",
                            name, whole);
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
        size_t got;
        GLNN__TRY(glnn__file_read_up_to(file, path, to->size, to->capacity - to->size,
                                        to->bytes + to->size, &got));
        to->size += got;
        if (to->size < to->capacity)
            return GLNN_OK;
        GLNN__TRY(grow(path, 2 * to->capacity, to));
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
    glnn__file_close(file);
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
