#include "data/text.h"

#include "base/file.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

bool glnn__text_breaks(const char *text)
{
    return *text == '\n' || (*text == '\r' && text[1] != '\n');
}

static size_t line_of(const char *text, const char *place)
{
    size_t line = 1;
    for (; text < place; ++text)
        line += glnn__text_breaks(text);
    return line;
}

glnn_status glnn__text_read(const char *path, char **text, char **start)
{
    unsigned char *bytes;
    size_t size;
    GLNN__TRY(glnn__file_read(path, &bytes, &size));
    *text = (char *)bytes;
    const char *zero = memchr(*text, 0, size);
    if (zero) {
        size_t line = line_of(*text, zero);
        free(bytes);
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu holds a zero byte, so this is no text", path,
                          line);
    }
    *start = *text + (strncmp(*text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    return GLNN_OK;
}
