#include "io/table/names.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many bytes the character at `text` takes in UTF-8; 0: it is none. */
static int utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, second_low, second_high;
        int length;
    } forms[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        bool fits = forms[i].length == 1 ||
                    (text[1] >= forms[i].second_low && text[1] <= forms[i].second_high);
        for (int k = 2; fits && k < forms[i].length; ++k)
            fits = text[k] >= 0x80 && text[k] <= 0xbf;
        return fits ? forms[i].length : 0;
    }
    return 0;
}

/* Writes a name at `to` and returns the place after it. */
static char *write_name(const char *name, char *to)
{
    while (*name) {
        const int length = utf8_length((const unsigned char *)name);
        if (*name == '\\' || *name == '\n') {
            *to++ = '\\';
            *to++ = *name++ == '\n' ? 'n' : '\\';
        } else if (length == 0) {
            to += sprintf(to, "\\x%02x", (unsigned)(unsigned char)*name++);
        } else {
            memcpy(to, name, (size_t)length);
            to += length;
            name += length;
        }
    }
    return to;
}

char *glnn__names_join(char *const *names, int count)
{
    size_t size = 1;
    for (int i = 0; i < count; ++i)
        size += 4 * strlen(names[i]) + 1;
    char *text = malloc(size), *next = text;
    for (int i = 0; text && i < count; ++i) {
        if (i > 0)
            *next++ = '\n';
        next = write_name(names[i], next);
    }
    if (text)
        *next = '\0';
    return text;
}

/* The byte that `text`, after a backslash, stands for; *length is what it takes, 0: none. */
static char escaped(const char *text, size_t *length)
{
    static const char digits[] = "0123456789abcdef";
    *length = *text == 'n' || *text == '\\' ? 1 : 0;
    if (*length > 0)
        return *text == 'n' ? '\n' : '\\';
    if (*text != 'x' || !text[1] || !text[2] || !strchr(digits, text[1]) ||
        !strchr(digits, text[2]))
        return 0;
    *length = 3;
    return (char)(unsigned char)((strchr(digits, text[1]) - digits) * 16 +
                                 (strchr(digits, text[2]) - digits));
}

static glnn_status read_name(const char **text, char **out)
{
    char *next = *out = malloc(strcspn(*text, "\n") + 1);
    if (!next)
        return glnn__fail(GLNN_E_NOMEM, "no memory for names");
    while (**text && **text != '\n') {
        if (**text != '\\') {
            *next++ = *(*text)++;
            continue;
        }
        size_t length;
        const char byte = escaped(++*text, &length);
        if (length == 0 || byte == '\0') {
            *next = '\0';
            return glnn__fail(GLNN_E_FORMAT, "a list of names has a backslash before '%.8s'",
                              *text);
        }
        *next++ = byte;
        *text += length;
    }
    *next = '\0';
    return GLNN_OK;
}

static int count_names(const char *text)
{
    int count = 1;
    for (; *text; ++text)
        count += *text == '\n';
    return count;
}

glnn_status glnn__names_split(const char *text, int count, char ***out)
{
    *out = NULL;
    if (count_names(text) != count)
        return glnn__fail(GLNN_E_FORMAT, "a list of %d names where there should be %d",
                          count_names(text), count);
    char **names = calloc((size_t)count, sizeof *names);
    glnn_status status =
        names ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d names", count);
    for (int i = 0; i < count && !status; ++i) {
        status = read_name(&text, &names[i]);
        text += *text == '\n';
    }
    for (int i = 0; names && status && i < count; ++i)
        free(names[i]);
    if (status)
        free(names);
    else
        *out = names;
    return status;
}
