#include "base/lines.h"

#include "base/digits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A word that is a float with nine digits, with as few as it needs; else the word. */
static const char *shorten(const char *word, int length, char text[GLNN__DIGITS_TEXT])
{
    const float value = strtof(word, NULL);
    const int nine = snprintf(text, GLNN__DIGITS_TEXT, "%.9g", (double)value);
    const bool is_float = memchr(word, '.', (size_t)length) && nine == length &&
                          strncmp(word, text, (size_t)length) == 0;
    return is_float ? glnn__digits_of_float(value, text) : word;
}

const char *glnn__line_show(const char *text, char out[GLNN__LINE_SHOWN])
{
    char digits[GLNN__DIGITS_TEXT];
    size_t used = 0;
    for (text = *text ? text : "none"; *text && *text != '\n' && used + 1 < GLNN__LINE_SHOWN;) {
        const int length = (int)strcspn(text, "=,\n");
        used += (size_t)snprintf(out + used, GLNN__LINE_SHOWN - used, "%.*s", length,
                                 shorten(text, length, digits));
        text += length;
        if (*text && *text != '\n' && used + 1 < GLNN__LINE_SHOWN) {
            out[used++] = *text++;
            out[used] = 0;
        }
    }
    return out;
}
