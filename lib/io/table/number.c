#include "io/table/number.h"

#include "base/string.h"

/* Exports have the same function. */
#include "../templates/is_missing.c"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static glnn__number kind_of_word(const char *text)
{
    text += *text == '+' || *text == '-';
    if (glnn__string_is(text, "inf") || glnn__string_is(text, "infinity") ||
        glnn__string_is(text, "nan"))
        return GLNN__NUMBER_NOT_FINITE;
    return GLNN__NUMBER_NONE;
}

/* The kind of a text of which strtof or strtod has read a number up to `end`. They also accept
 * leading blanks and hexadecimal numbers. */
static glnn__number kind_of(const char *text, const char *end, bool is_finite)
{
    if (text[strspn(text, "0123456789+-.eE")] != 0)
        return kind_of_word(text);
    if (end == text || *end != 0)
        return GLNN__NUMBER_NONE;
    return is_finite ? GLNN__NUMBER_FINITE : GLNN__NUMBER_NOT_FINITE;
}

glnn__number glnn__number_parse(const char *text, float *value)
{
    char *end;
    const float number = strtof(text, &end);
    const glnn__number kind = kind_of(text, end, isfinite(number));
    if (kind == GLNN__NUMBER_FINITE)
        *value = number;
    return kind;
}

glnn__number glnn__number_parse_double(const char *text, double *value)
{
    char *end;
    const double number = strtod(text, &end);
    const glnn__number kind = kind_of(text, end, isfinite(number));
    if (kind == GLNN__NUMBER_FINITE)
        *value = number;
    return kind;
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (text[count] >= '0' && text[count] <= '9')
        ++count;
    return count;
}

bool glnn__number_is(const char *text)
{
    const char *next = text + (*text == '+' || *text == '-');
    size_t digits = count_digits(next);
    next += digits;
    if (*next == '.') {
        const size_t after = count_digits(++next);
        next += after;
        digits += after;
    }
    if (digits > 0 && (*next == 'e' || *next == 'E')) {
        next += 1 + (next[1] == '+' || next[1] == '-');
        digits = count_digits(next);
        next += digits;
    }
    return digits > 0 ? *next == 0 : kind_of_word(text) != GLNN__NUMBER_NONE;
}

bool glnn__number_is_missing(const char *text, glnn__csv_field column)
{
    static const int columns[] = {[GLNN__CSV_FIELD_LABEL] = LABEL_FIELD,
                                  [GLNN__CSV_FIELD_CATEGORY] = CATEGORY_FIELD,
                                  [GLNN__CSV_FIELD_NUMBER] = NUMBER_FIELD};
    return is_missing(text, columns[column]);
}
