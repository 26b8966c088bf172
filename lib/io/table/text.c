#include "io/table/text.h"

#include "base/file.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

bool glnn__text_breaks(const char *text)
{
    return *text == '\n' || (*text == '\r' && text[1] != '\n');
}

/* The bytes of the character that starts at `text`; 0 where there is none that is UTF-8. */
static size_t character_length(const unsigned char *text, size_t size)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = *text < 0x80             ? 1
                          : (*text & 0xE0) == 0xC0 ? 2
                          : (*text & 0xF0) == 0xE0 ? 3
                          : (*text & 0xF8) == 0xF0 ? 4
                                                   : 0;
    if (length > size)
        return 0;
    if (length < 2)
        return length;
    unsigned long code = *text & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3F);
    }
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    return code < least[length] || is_surrogate || code > 0x10FFFF ? 0 : length;
}

bool glnn__text_is_utf8(const char *text, size_t size)
{
    for (size_t place = 0, length; place < size; place += length) {
        length = character_length((const unsigned char *)text + place, size - place);
        if (length == 0)
            return false;
    }
    return true;
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
        return glnn__fail(GLNN_E_FORMAT, "%s: line %zu holds a zero byte, so this is not a text",
                          path, line);
    }
    *start = *text + (strncmp(*text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    return GLNN_OK;
}
