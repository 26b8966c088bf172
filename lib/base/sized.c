#include "base/sized.h"

#include <string.h>

glnn_status glnn__sized_check(const char *function, const char *type, size_t given, size_t least,
                              size_t size)
{
    if (given >= least && given <= size)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "%s: %s.size is %zu; set it to sizeof(%s) before the call, which is %zu in "
                      "libglnn %s",
                      function, type, given, type, size, glnn_version());
}

void glnn__sized_fill(void *out, const void *filled, size_t size)
{
    size_t room = 0;
    memcpy(&room, out, sizeof room);
    const size_t end = size < room ? size : room;
    if (end > sizeof room)
        memcpy((char *)out + sizeof room, (const char *)filled + sizeof room, end - sizeof room);
}

glnn_status glnn__reserved_check(const char *type, const void *reserved, size_t size)
{
    const uint64_t *numbers = reserved;
    for (size_t i = 0; i < size / sizeof *numbers; ++i)
        if (numbers[i] != 0)
            return glnn__fail(GLNN_E_ARG,
                              "%s.reserved[%zu] is not 0: the description was not initialised, or "
                              "has a member that libglnn %s does not know",
                              type, i, glnn_version());
    return GLNN_OK;
}
