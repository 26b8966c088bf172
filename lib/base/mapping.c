#include "base/mapping.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static glnn_status map_file(const char *path, glnn__mapping *mapping)
{
    struct stat info;
    if (fstat(mapping->file, &info) != 0)
        return glnn__fail(GLNN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return glnn__fail(GLNN_E_IO, "%s: is no regular file, so it cannot be mapped", path);
    if (info.st_size == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: is empty", path);
    if ((uintmax_t)info.st_size > SIZE_MAX)
        return glnn__fail(GLNN_E_LIMIT, "%s: larger than memory can address", path);
    mapping->size = (size_t)info.st_size;
    void *bytes = mmap(NULL, mapping->size, PROT_READ, MAP_SHARED, mapping->file, 0);
    if (bytes == MAP_FAILED)
        return glnn__fail(GLNN_E_IO, "%s: %zu bytes cannot be mapped: %s", path, mapping->size,
                          strerror(errno));
    mapping->bytes = bytes;
    return GLNN_OK;
}

glnn_status glnn__mapping_open(const char *path, glnn__mapping *out)
{
    *out = (glnn__mapping){.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (out->file < 0)
        return glnn__fail(GLNN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
    glnn_status status = map_file(path, out);
    if (status) {
        close(out->file);
        *out = (glnn__mapping){0};
    }
    return status;
}

bool glnn__mapping_is_whole(const glnn__mapping *mapping)
{
    struct stat info;
    return fstat(mapping->file, &info) == 0 && (uintmax_t)info.st_size >= mapping->size;
}

void glnn__mapping_close(glnn__mapping *mapping)
{
    if (!mapping->bytes)
        return;
    munmap((void *)mapping->bytes, mapping->size);
    close(mapping->file);
    *mapping = (glnn__mapping){0};
}
