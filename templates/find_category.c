#include <string.h>

/* The characters of a category without the zeros that some programs write after an integer, as in
 * 1.0, if its column misses values. */
static size_t category_length(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    const char *point = digits + strspn(digits, "0123456789");
    const int is_integer = point > digits && *point == '.' && !point[1 + strspn(point + 1, "0")];
    return is_integer ? (size_t)(point - text) : strlen(text);
}

/* The place of a category among names; -1: it is not there. */
static int find_category(const char *text, const char *const *names, int count)
{
    const size_t length = category_length(text);
    for (int i = 0; i < count; ++i)
        if (strncmp(names[i], text, length) == 0 && !names[i][length])
            return i;
    return -1;
}
