#include "io/safetensors/description.h"

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

static bool parse_int(const char *text, int least, int *out)
{
    uint64_t count;
    const bool fits = glnn__parse_count(text, INT_MAX - 1, &count) && (int)count >= least;
    if (fits)
        *out = (int)count;
    return fits;
}

static bool parse_float(const char *text, float limit, float *out)
{
    return glnn__number_parse(text, out) == GLNN__NUMBER_FINITE && *out >= 0 && *out < limit;
}

static bool parse_double(const char *text, double *out)
{
    char *end = NULL;
    *out = *text >= '0' && *text <= '9' ? strtod(text, &end) : 0;
    return end && !*end && isfinite(*out);
}

static bool parse_choice(const char *text, const glnn__field *field, int *out)
{
    for (*out = 0; *out < field->choices; ++*out)
        if (strcmp(text, field->name(*out)) == 0)
            return true;
    return false;
}

static bool parse(const glnn__field *field, const char *text, void *out)
{
    switch (field->kind) {
    case GLNN__FIELD_INT:
    case GLNN__FIELD_POSITIVE:
        return parse_int(text, field->kind == GLNN__FIELD_POSITIVE, out);
    case GLNN__FIELD_COUNT:
        return glnn__parse_count(text, UINT64_MAX, out);
    case GLNN__FIELD_FLOAT:
    case GLNN__FIELD_SHARE:
        return parse_float(text, field->kind == GLNN__FIELD_SHARE ? 1 : INFINITY, out);
    case GLNN__FIELD_DOUBLE:
        return parse_double(text, out);
    case GLNN__FIELD_CHOICE:
        break;
    }
    return parse_choice(text, field, out);
}

glnn_status glnn__read_fields(const glnn__described_file *in, const glnn__field *fields, int count,
                              void *into)
{
    static const char *const wanted[] = {"an int from 0 on",
                                         "a positive int",
                                         "a count of at most 64 bits",
                                         "a number from 0 on",
                                         "a number in [0, 1)",
                                         "a number from 0 on",
                                         "one of the names that libglnn writes"};
    for (const glnn__field *of = fields; of < fields + count; ++of) {
        const char *text = text_of(in, of->key);
        if (!text || !parse(of, text, (char *)into + of->offset))
            return glnn__read_fail(in, of->key, wanted[of->kind]);
    }
    return GLNN_OK;
}

void glnn__texts_add_fields(glnn__texts *texts, const glnn__field *fields, int count,
                            const void *from)
{
    for (const glnn__field *of = fields; of < fields + count; ++of) {
        const void *at = (const char *)from + of->offset;
        if (of->kind == GLNN__FIELD_COUNT)
            glnn__texts_add(texts, of->key, "%" PRIu64, *(const uint64_t *)at);
        else if (of->kind == GLNN__FIELD_FLOAT || of->kind == GLNN__FIELD_SHARE)
            glnn__texts_add(texts, of->key, "%.9g", (double)*(const float *)at);
        else if (of->kind == GLNN__FIELD_DOUBLE)
            glnn__texts_add(texts, of->key, "%.17g", *(const double *)at);
        else if (of->kind == GLNN__FIELD_CHOICE)
            glnn__texts_add(texts, of->key, "%s", of->name(*(const int *)at));
        else
            glnn__texts_add(texts, of->key, "%d", *(const int *)at);
    }
}
