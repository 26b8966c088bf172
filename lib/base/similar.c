#include "base/similar.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Longer names are similar to none. */
enum { LONGEST = 63 };

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number of letters to insert, remove, replace or swap with the next one. */
static size_t distance_between(const char *a, size_t rows, const char *b, size_t columns)
{
    size_t cells[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; ++i)
        for (size_t j = 0; j <= columns; ++j) {
            size_t *cell = &cells[i][j];
            *cell = i + j;
            if (i > 0 && j > 0)
                *cell = least(least(cells[i - 1][j], cells[i][j - 1]) + 1,
                              cells[i - 1][j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                *cell = least(*cell, cells[i - 2][j - 2] + 1);
        }
    return cells[rows][columns];
}

const char *glnn__similar_name(const char *name, char *const *names, size_t count)
{
    const size_t length = strlen(name);
    size_t nearest = length < 3 ? 1 : length < 5 ? 2 : 3;
    const char *found = NULL;
    for (size_t i = 0; i < count && length <= LONGEST; ++i) {
        const size_t other = strlen(names[i]);
        if (other > LONGEST || other + nearest <= length || length + nearest <= other)
            continue;
        const size_t distance = distance_between(name, length, names[i], other);
        if (distance < nearest) {
            nearest = distance;
            found = names[i];
        }
    }
    return found;
}
