#include "io/safetensors/description.h"

#include "base/status.h"
#include "base/string.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void glnn__texts_add(glnn__texts *texts, const char *key, const char *format, ...)
{
    char value[GLNN__TEXT_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    glnn__texts_take(texts, key, glnn__string_copy(value));
}

void glnn__texts_take(glnn__texts *texts, const char *key, char *text)
{
    char *copy = glnn__string_copy(key);
    if (text && copy && texts->count < GLNN__MAX_TEXTS) {
        texts->entries[texts->count++] = (glnn_metadata){copy, text};
        return;
    }
    texts->is_cut = true;
    free(copy);
    free(text);
}

void glnn__texts_free(glnn__texts *texts)
{
    for (int i = 0; i < texts->count; ++i) {
        free((char *)texts->entries[i].key);
        free((char *)texts->entries[i].value);
    }
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

void glnn__texts_add_fields(glnn__texts *texts, const glnn__fields *fields, glnn__keeping kept,
                            const void *from)
{
    glnn__place place;
    char text[GLNN__TEXT_LENGTH];
    for (int i = 0; glnn__fields_at(fields, i, &place); ++i)
        if (place.field->kept >= kept) {
            glnn__field_print(&place, from, text, sizeof text);
            glnn__texts_add(texts, place.key, "%s", text);
        }
}

glnn_status glnn__read_fields(const glnn__described_file *in, const glnn__fields *fields,
                              void *into)
{
    glnn__place place;
    char wanted[512];
    for (int i = 0; glnn__fields_at(fields, i, &place); ++i) {
        const char *text = text_of(in, place.key);
        if (place.field->kept < GLNN__IN_FILES || (!text && place.field->is_later) ||
            (text && glnn__field_parse(&place, text, false, into)))
            continue;
        glnn__field_print_range(place.field, false, wanted, sizeof wanted);
        return glnn__read_fail(in, place.key, wanted);
    }
    return GLNN_OK;
}
