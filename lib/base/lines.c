#include "base/lines.h"

#include <stddef.h>
#include <string.h>

int glnn__line_length(const char *text)
{
    return (int)strcspn(text, "\n");
}

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end ? end + 1 : text + strlen(text);
}

const char *glnn__line_find(const char *text, const char *line)
{
    const size_t name = strcspn(line, "=\n");
    while (*text && (strncmp(text, line, name) != 0 || text[name] != '='))
        text = next_line(text);
    return text;
}

const char *glnn__line_difference(const char *text, const char *other)
{
    for (; *text; text = next_line(text)) {
        const char *found = glnn__line_find(other, text);
        const int length = glnn__line_length(text);
        if (glnn__line_length(found) != length || strncmp(found, text, (size_t)length) != 0)
            return text;
    }
    return NULL;
}

const char *glnn__line_summed(const char *line, int *length)
{
    static const char start[] = "checksum of ";
    const char *subject = line + sizeof start - 1;
    if (strncmp(line, start, sizeof start - 1) != 0)
        return NULL;
    *length = (int)strcspn(subject, "=\n");
    return subject;
}

const char *glnn__line_or_none(const char *line)
{
    return *line ? line : "none";
}
