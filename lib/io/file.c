#include "base/file.h"
#include "base/status.h"

#include <glnn/file.h>

glnn_status glnn_file_write(const char *path, const void *data, size_t size)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(data);
    return glnn__file_replace(path, &(glnn__span){data, size}, 1);
}
