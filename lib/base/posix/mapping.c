#include "base/mapping.h"

#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

glnn_status glnn__mapping_create(const char *path, int file, size_t size, glnn__mapping *out)
{
    *out = (glnn__mapping){0};
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return glnn__fail(GLNN_E_IO, "%s: cannot map %zu bytes: %s", path, size, strerror(errno));
    *out = (glnn__mapping){bytes, size};
    return GLNN_OK;
}

void glnn__mapping_destroy(glnn__mapping *mapping)
{
    if (mapping->bytes)
        munmap((void *)mapping->bytes, mapping->size);
    *mapping = (glnn__mapping){0};
}
