#include "io/safetensors/description.h"

#include "base/status.h"
#include "io/table/number.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void glnn__texts_add(glnn__texts *texts, const char *key, const char *format, ...)
{
    char *value = texts->values[texts->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, GLNN__TEXT_LENGTH, format, arguments);
    va_end(arguments);
    texts->entries[texts->count++] = (glnn_metadata){key, value};
}

static const char *text_of(const glnn__described_file *in, const char *key)
{
    return glnn_safetensors_metadata(in->file, key);
}

glnn_status glnn__read_fail(const glnn__described_file *in, const char *key, const char *wanted)
{
    const char *text = text_of(in, key);
    if (!text)
        return glnn__fail(GLNN_E_FORMAT, "%s: holds no %s: there is no metadata '%s'", in->path,
                          in->what, key);
    return glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is '%.80s', but should be %s", in->path,
                      key, text, wanted);
}

glnn_status glnn__read_expect(const glnn__described_file *in, const char *key, const char *wanted)
{
    const char *text = text_of(in, key);
    if (!text || strcmp(text, wanted) != 0)
        return glnn__read_fail(in, key, wanted);
    return GLNN_OK;
}

bool glnn__parse_count(const char *text, uint64_t limit, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0 && *value <= limit;
}

glnn_status glnn__read_count(const glnn__described_file *in, const char *key, uint64_t *value)
{
    const char *text = text_of(in, key);
    if (!text || !glnn__parse_count(text, UINT64_MAX, value))
        return glnn__read_fail(in, key, "a count of at most 64 bits");
    return GLNN_OK;
}

glnn_status glnn__read_int(const glnn__described_file *in, const char *key, int least, int *value)
{
    const char *text = text_of(in, key);
    uint64_t count;
    if (!text || !glnn__parse_count(text, INT_MAX - 1, &count) || (int)count < least)
        return glnn__read_fail(in, key, least > 0 ? "a positive int" : "an int from 0 on");
    *value = (int)count;
    return GLNN_OK;
}

/* The place of a name among others. */
static bool find_name(const char *name, const char *const *names, int count, int *index)
{
    for (*index = 0; *index < count; ++*index) {
        if (strcmp(names[*index], name) == 0)
            return true;
    }
    return false;
}

glnn_status glnn__read_choice(const glnn__described_file *in, const char *key,
                              const char *const *names, int count, int *choice)
{
    const char *text = text_of(in, key);
    if (!text || !find_name(text, names, count, choice))
        return glnn__read_fail(in, key, "one of the names that libglnn writes");
    return GLNN_OK;
}

glnn_status glnn__read_float(const glnn__described_file *in, const char *key, float limit,
                             float *value)
{
    const char *text = text_of(in, key);
    float number;
    if (!text || glnn__number_parse(text, &number) != GLNN__NUMBER_FINITE || number < 0 ||
        number >= limit)
        return glnn__read_fail(in, key, limit <= 1 ? "a number in [0, 1)" : "a number from 0 on");
    *value = number;
    return GLNN_OK;
}

glnn_status glnn__read_double(const glnn__described_file *in, const char *key, double *value)
{
    const char *text = text_of(in, key);
    char *end = NULL;
    const double number = text && *text >= '0' && *text <= '9' ? strtod(text, &end) : 0;
    if (!end || *end || !isfinite(number))
        return glnn__read_fail(in, key, "a number from 0 on");
    *value = number;
    return GLNN_OK;
}

void glnn__texts_add_numbers(glnn__texts *texts, const glnn__described_number *numbers, int count,
                             const void *from)
{
    for (int i = 0; i < count; ++i) {
        float value;
        memcpy(&value, (const char *)from + numbers[i].offset, sizeof value);
        glnn__texts_add(texts, numbers[i].key, "%.9g", (double)value);
    }
}

glnn_status glnn__read_numbers(const glnn__described_file *in,
                               const glnn__described_number *numbers, int count, void *into)
{
    for (int i = 0; i < count; ++i) {
        float value;
        GLNN__TRY(glnn__read_float(in, numbers[i].key, numbers[i].limit, &value));
        memcpy((char *)into + numbers[i].offset, &value, sizeof value);
    }
    return GLNN_OK;
}
