#include "io/sizes.h"

#include "base/status.h"

#include <stdint.h>
#include <stdio.h>

glnn__sizes_text glnn__sizes_text_of(int dimensions, const size_t *size)
{
    glnn__sizes_text sizes = {""};
    size_t used = 0;
    for (int d = 0; d < dimensions; ++d)
        used += (size_t)snprintf(sizes.text + used, sizeof sizes.text - used, "%s%zu",
                                 d ? " x " : "", size[d]);
    return sizes;
}

glnn_status glnn__sizes_multiply(const char *path, int dimensions, const size_t *size, size_t width,
                                 size_t header, size_t *elements, size_t *bytes)
{
    *elements = 1;
    for (int d = 0; d < dimensions; ++d) {
        if (size[d] > ((size_t)PTRDIFF_MAX - header) / width / *elements)
            return glnn__fail(GLNN_E_LIMIT, "%s: memory cannot address %s elements of %zu bytes",
                              path, glnn__sizes_text_of(dimensions, size).text, width);
        *elements *= size[d];
    }
    *bytes = header + *elements * width;
    return GLNN_OK;
}
