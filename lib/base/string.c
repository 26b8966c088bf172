#include "base/string.h"

#include <stdlib.h>
#include <string.h>

char *glnn__string_copy_start(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *glnn__string_copy(const char *text)
{
    return glnn__string_copy_start(text, strlen(text));
}

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

bool glnn__string_begins(const char *text, const char *start)
{
    while (*start && small(*text) == small(*start))
        ++text, ++start;
    return !*start;
}

bool glnn__string_is(const char *text, const char *other)
{
    return strlen(text) == strlen(other) && glnn__string_begins(text, other);
}

bool glnn__string_ends(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && glnn__string_is(text + length - wanted, end);
}
