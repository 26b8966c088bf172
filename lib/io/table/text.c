#include "io/table/text.h"

#include "base/memory.h"
#include "base/status.h"
#include "io/content.h"

#include <glnn/csv.h>

#include <stdlib.h>
#include <string.h>

/* Bytes that are read at a time. */
enum { PIECE = 1 << 16 };

bool glnn__text_breaks(const char *text)
{
    return *text == '\n' || (*text == '\r' && text[1] != '\n');
}

size_t glnn__text_character(const char *start, size_t size)
{
    const unsigned char *text = (const unsigned char *)start;
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
        length = glnn__text_character(text + place, size - place);
        if (length == 0)
            return false;
    }
    return true;
}

size_t glnn__text_line(const char *text, const char *place)
{
    size_t line = 1;
    for (; text < place; ++text)
        line += glnn__text_breaks(text);
    return line;
}

/* Checks the lines between `start` and `end`, and moves *line to the start of the last one. */
static glnn_status check_lines(const glnn__content *in, const char *text, size_t start, size_t end,
                               size_t *line)
{
    const size_t first = start + strcspn(text + start, "\r\n");
    if (first - *line > GLNN_CSV_MAX_LINE)
        return glnn__fail(GLNN_E_LIMIT, "%s: line %zu is longer than %d bytes", in->path,
                          glnn__text_line(text, text + *line), GLNN_CSV_MAX_LINE);
    while (end > start && text[end - 1] != '\n' && text[end - 1] != '\r')
        --end;
    *line = end > start ? end : *line;
    return GLNN_OK;
}

/* Checks each piece for zero bytes and long lines as soon as it is read, so that a large file that
 * is not a text is refused early. */
static glnn_status read_all(glnn__content *in, char **text)
{
    size_t size = 0, capacity = 0, got = 1, line = 0;
    for (*text = NULL; got > 0; size += got) {
        if (size + 1 >= capacity && !glnn__memory_grow(text, capacity, &capacity, 1))
            return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", in->path, capacity);
        const size_t room = capacity - size - 1;
        GLNN__TRY(glnn__content_read(in, *text + size, room < PIECE ? room : PIECE, &got));
        (*text)[size + got] = '\0';
        const char *zero = memchr(*text + size, 0, got);
        if (zero)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: line %zu has a zero byte, so the file is not a text", in->path,
                              glnn__text_line(*text, zero));
        GLNN__TRY(check_lines(in, *text, size, size + got, &line));
    }
    return GLNN_OK;
}

glnn_status glnn__text_read(const char *path, char **text, char **start)
{
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    const glnn_status status = read_all(&content, text);
    glnn__content_close(&content);
    if (status)
        free(*text);
    else
        *start = *text + (strncmp(*text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    return status;
}
