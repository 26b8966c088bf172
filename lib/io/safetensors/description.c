#include "io/safetensors/description.h"

#include "base/digits.h"
#include "base/status.h"
#include "io/table/number.h"

#include <errno.h>
#include <inttypes.h>
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

void glnn__texts_add_float(glnn__texts *texts, const char *key, float value)
{
    char digits[GLNN__DIGITS_TEXT];
    glnn__texts_add(texts, key, "%s", glnn__digits_of_float(value, digits));
}

void glnn__texts_take(glnn__texts *texts, const char *key, char *text)
{
    texts->is_cut |= text == NULL;
    texts->taken[texts->count] = text;
    texts->entries[texts->count++] = (glnn_metadata){key, text};
}

void glnn__texts_free(glnn__texts *texts)
{
    for (int i = 0; i < texts->count; ++i)
        free(texts->taken[i]);
}

static const char *text_of(const glnn__described_file *in, const char *key)
{
    return glnn_safetensors_get_metadata(in->file, key);
}

glnn_status glnn__read_fail(const glnn__described_file *in, const char *key, const char *wanted)
{
    const char *text = text_of(in, key);
    if (!text)
        return glnn__fail(GLNN_E_FORMAT, "%s: the file has no %s: its metadata has no '%s'",
                          in->path, in->what, key);
    return glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is '%.80s'; it must be %s", in->path, key,
                      text, wanted);
}

glnn_status glnn__read_expect(const glnn__described_file *in, const char *key, const char *wanted)
{
    const char *text = text_of(in, key);
    if (!text || strcmp(text, wanted) != 0)
        return glnn__read_fail(in, key, wanted);
    return GLNN_OK;
}

size_t glnn__field_print(const glnn__field *field, const void *from, char *text, size_t room)
{
    const void *at = (const char *)from + field->offset;
    char digits[GLNN__DIGITS_TEXT];
    switch (field->kind) {
    case GLNN__FIELD_CHOICE:
        return (size_t)snprintf(text, room, "%s", field->name(*(const int *)at));
    case GLNN__FIELD_FLOAT:
        return (size_t)snprintf(text, room, "%s",
                                glnn__digits_of_float(*(const float *)at, digits));
    case GLNN__FIELD_DOUBLE:
        return (size_t)snprintf(text, room, "%s",
                                glnn__digits_of_double(*(const double *)at, digits));
    case GLNN__FIELD_COUNT:
        return (size_t)snprintf(text, room, "%" PRIu64, *(const uint64_t *)at);
    case GLNN__FIELD_BOOL:
        return (size_t)snprintf(text, room, "%s", *(const bool *)at ? "true" : "false");
    default:
        return (size_t)snprintf(text, room, "%d", *(const int *)at);
    }
}

/* A decimal number without a sign, of at most `limit`. */
static bool parse_count(const char *text, uint64_t limit, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0 && *value <= limit;
}

static bool parse_int(const glnn__field *field, const char *text, int *value)
{
    uint64_t count;
    const bool is_count = parse_count(text, INT_MAX - 1, &count);
    *value = is_count ? (int)count : 0;
    return is_count && *value >= field->least;
}

static bool parse_choice(const glnn__field *field, const char *text, int *value)
{
    *value = 0;
    while (*value < field->choices && strcmp(field->name(*value), text) != 0)
        ++*value;
    return *value < field->choices;
}

static bool parse_bool(const char *text, bool *value)
{
    *value = strcmp(text, "true") == 0;
    return *value || strcmp(text, "false") == 0;
}

static bool parse_double(const char *text, double *value)
{
    char *end = NULL;
    *value = *text >= '0' && *text <= '9' ? strtod(text, &end) : 0;
    return end && !*end && isfinite(*value);
}

bool glnn__field_parse(const glnn__field *field, const char *text, void *into)
{
    void *at = (char *)into + field->offset;
    float *real = at;
    switch (field->kind) {
    case GLNN__FIELD_CHOICE:
        return parse_choice(field, text, at);
    case GLNN__FIELD_FLOAT:
        return glnn__number_parse(text, real) == GLNN__NUMBER_FINITE && *real >= 0 &&
               (field->limit == 0 || *real < field->limit);
    case GLNN__FIELD_DOUBLE:
        return parse_double(text, at);
    case GLNN__FIELD_COUNT:
        return parse_count(text, UINT64_MAX, at);
    case GLNN__FIELD_BOOL:
        return parse_bool(text, at);
    default:
        return parse_int(field, text, at);
    }
}

static const char *wanted_by(const glnn__field *field)
{
    switch (field->kind) {
    case GLNN__FIELD_INT:
        return field->least > 0 ? "a positive int" : "an int from 0 on";
    case GLNN__FIELD_CHOICE:
        return "one of the names that libglnn writes";
    case GLNN__FIELD_COUNT:
        return "a count of at most 64 bits";
    case GLNN__FIELD_BOOL:
        return "true or false";
    default:
        return field->limit == 1 ? "a number in [0, 1)" : "a number from 0 on";
    }
}

void glnn__texts_add_fields(glnn__texts *texts, const glnn__field *fields, size_t count,
                            const void *from)
{
    char text[GLNN__TEXT_LENGTH];
    for (size_t i = 0; i < count; ++i) {
        glnn__field_print(&fields[i], from, text, sizeof text);
        glnn__texts_add(texts, fields[i].key, "%s", text);
    }
}

glnn_status glnn__read_fields(const glnn__described_file *in, const glnn__field *fields,
                              size_t count, void *into)
{
    for (size_t i = 0; i < count; ++i) {
        const char *text = text_of(in, fields[i].key);
        if (!text || !glnn__field_parse(&fields[i], text, into))
            return glnn__read_fail(in, fields[i].key, wanted_by(&fields[i]));
    }
    return GLNN_OK;
}
