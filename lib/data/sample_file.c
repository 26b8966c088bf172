#include "data/sample_file.h"

#include "base/file.h"
#include "base/status.h"

static glnn_status map(const char *path, glnn__sample_file *file)
{
    const glnn_status status =
        glnn__mapping_create(path, file->descriptor, file->size, &file->mapping);
    glnn__file_close(file->descriptor);
    if (status)
        *file = (glnn__sample_file){0};
    return status;
}

glnn_status glnn__sample_file_open(const char *path, bool is_mapped, glnn__sample_file *out)
{
    glnn__sample_file file = {.is_read = !is_mapped};
    *out = (glnn__sample_file){0};
    GLNN__TRY(glnn__file_open_regular(path, &file.descriptor, &file.size));
    if (file.size == 0) {
        glnn__file_close(file.descriptor);
        return glnn__fail(GLNN_E_FORMAT, "%s: the file is empty", path);
    }
    if (is_mapped)
        GLNN__TRY(map(path, &file));
    *out = file;
    return GLNN_OK;
}

void glnn__sample_file_close(glnn__sample_file *file)
{
    if (file->is_read)
        glnn__file_close(file->descriptor);
    glnn__mapping_destroy(&file->mapping);
    *file = (glnn__sample_file){0};
}

glnn_status glnn__sample_file_read(const glnn__sample_file *file, const char *name, size_t place,
                                   size_t size, void *to)
{
    return glnn__file_read_at(file->descriptor, name, file->size, file->begin + place, size, to);
}
