#include "io/table/names.h"

#include "base/status.h"
#include "base/string.h"
#include "io/growing_text.h"
#include "io/table/text.h"

#include <stdlib.h>
#include <string.h>

static void print_name(glnn__growing_text *to, const char *name)
{
    while (*name) {
        /* A character has at most 4 bytes, and does not continue after the zero byte. */
        const size_t length = glnn__text_character(name, 4);
        if (*name == '\\' || *name == '\n')
            glnn__text_print(to, *name == '\n' ? "\\n" : "\\\\");
        else if (length == 0)
            glnn__text_print(to, "\\x%02x", (unsigned)(unsigned char)*name);
        else
            glnn__text_print(to, "%.*s", (int)length, name);
        name += length > 0 ? length : 1;
    }
}

char *glnn__names_join(char *const *names, int count)
{
    glnn__growing_text text = {0};
    for (int i = 0; i < count; ++i) {
        glnn__text_print(&text, "%s", i > 0 ? "\n" : "");
        print_name(&text, names[i]);
    }
    if (text.is_cut)
        free(text.text);
    return text.is_cut ? NULL : text.text;
}

/* The byte that the `*length` characters of `text` after a backslash mean. *length 0: none. */
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
        return glnn__fail(GLNN_E_FORMAT, "the list has %d names; there must be %d",
                          count_names(text), count);
    char **names = calloc((size_t)count, sizeof *names);
    glnn_status status =
        names ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d names", count);
    for (int i = 0; i < count && !status; ++i) {
        status = read_name(&text, &names[i]);
        text += *text == '\n';
    }
    if (status)
        glnn__names_free(names, count);
    else
        *out = names;
    return status;
}

bool glnn__names_copy(char *const *names, int count, char ***out)
{
    if (!names || count == 0)
        return true;
    *out = calloc((size_t)count, sizeof **out);
    bool done = *out != NULL;
    for (int i = 0; done && i < count; ++i)
        done = ((*out)[i] = glnn__string_copy(names[i])) != NULL;
    return done;
}

void glnn__names_free(char **names, int count)
{
    for (int i = 0; names && i < count; ++i)
        free(names[i]);
    free(names);
}
