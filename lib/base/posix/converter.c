#include "base/converter.h"

#include <errno.h>
#include <iconv.h>

bool glnn__converter_create(const char *code, glnn__converter **out)
{
    const iconv_t opened = iconv_open("UTF-8", code);
    const bool is_open = opened != (iconv_t)-1;
    *out = is_open ? opened : NULL;
    return is_open || errno != ENOMEM;
}

void glnn__converter_destroy(glnn__converter *converter)
{
    if (converter)
        iconv_close(converter);
}

bool glnn__converter_run(glnn__converter *converter, const char *bytes, size_t length, char *out,
                         size_t room)
{
    char *from = (char *)bytes;
    --room;
    const bool is_done = iconv(converter, &from, &length, &out, &room) == 0 && length == 0;
    *out = 0;
    return is_done;
}
