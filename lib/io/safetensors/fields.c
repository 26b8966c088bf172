#include "io/safetensors/fields.h"

#include "base/status.h"
#include "io/table/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Elements of an array, so that their bits can be counted for the widest type. */
#define MAX_ELEMENTS (SIZE_MAX / 64)

static const char *const field_names[GLNN__FIELD_OTHER] = {"dtype", "shape", "data_offsets"};

bool glnn__fields_refuse(glnn__fields *in, glnn_status status)
{
    in->status = status;
    return false;
}

bool glnn__text_equals(const char *text, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(text, wanted, length) == 0;
}

static const glnn__dtype *find_dtype(const char *name, size_t length)
{
    static const glnn__dtype dtypes[] = {
        {"F32", 32},    {"F64", 64},    {"F16", 16},    {"BF16", 16},   {"I64", 64},
        {"I32", 32},    {"I16", 16},    {"I8", 8},      {"U64", 64},    {"U32", 32},
        {"U16", 16},    {"U8", 8},      {"BOOL", 8},    {"C64", 64},    {"F8_E4M3", 8},
        {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
    };
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i) {
        if (glnn__text_equals(name, length, dtypes[i].name))
            return &dtypes[i];
    }
    return NULL;
}

/* Keeps a string with a zero byte after it. All of them fit, because each had quotes around it. */
static bool keep_string(glnn__fields *in, const char *text, size_t length, const char **out)
{
    char *string = in->out->strings + in->strings_used;
    if (memchr(text, 0, length) || !glnn__text_is_utf8(text, length))
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_FORMAT,
                           "%s: the header has a text with a zero character or half a "
                           "surrogate pair",
                           in->path));
    memcpy(string, text, length);
    string[length] = 0;
    in->strings_used += length + 1;
    *out = string;
    return true;
}

/* Makes room for one more item. */
static bool make_room(glnn__fields *in, void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    const size_t grown = *capacity ? 2 * *capacity : 32;
    void *bytes = realloc(*items, grown * size);
    if (!bytes)
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu names", in->path, grown));
    *items = bytes;
    *capacity = grown;
    return true;
}

bool glnn__fields_start_array(glnn__fields *in, const char *name, size_t length)
{
    glnn__header *out = in->out;
    void *arrays = out->arrays;
    if (!make_room(in, &arrays, out->array_count, &in->array_capacity, sizeof *out->arrays))
        return false;
    out->arrays = arrays;
    glnn__header_array *array = &out->arrays[out->array_count];
    *array = (glnn__header_array){.is_readable = false};
    if (!keep_string(in, name, length, &array->tensor.name))
        return false;
    ++out->array_count;
    memset(in->has, 0, sizeof in->has);
    in->type = NULL;
    in->dimensions = in->offsets = 0;
    in->elements = 1;
    return true;
}

static glnn__header_array *last_array(const glnn__fields *in)
{
    return &in->out->arrays[in->out->array_count - 1];
}

void glnn__fields_choose(glnn__fields *in, const char *field, size_t length)
{
    in->field = GLNN__FIELD_DTYPE;
    while (in->field < GLNN__FIELD_OTHER &&
           !glnn__text_equals(field, length, field_names[in->field]))
        ++in->field;
}

/* Reads digits alone. */
static bool read_count(const glnn__value *from, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < from->length; ++i) {
        const size_t digit = (size_t)(unsigned char)from->text[i] - '0';
        if (digit > 9 || *count > (SIZE_MAX - digit) / 10)
            return false;
        *count = 10 * *count + digit;
    }
    return from->kind == GLNN__VALUE_NUMBER;
}

bool glnn__fields_take_size(glnn__fields *in, const glnn__value *from)
{
    const char *name = last_array(in)->tensor.name;
    size_t size;
    if (!read_count(from, &size))
        return glnn__fields_refuse(in, glnn__fail(GLNN_E_FORMAT,
                                                  "%s: array '%s': size %zu is not a count",
                                                  in->path, name, in->dimensions));
    if (size > 0 && in->elements > MAX_ELEMENTS / size)
        return glnn__fields_refuse(in, glnn__fail(GLNN_E_FORMAT,
                                                  "%s: array '%s': the sizes' product overflows",
                                                  in->path, name));
    in->elements *= size;
    if (in->dimensions < GLNN_TENSOR_MAX_DIMENSIONS)
        last_array(in)->tensor.size[in->dimensions] = size;
    ++in->dimensions;
    return true;
}

static bool refuse_offsets(glnn__fields *in)
{
    return glnn__fields_refuse(in, glnn__fail(GLNN_E_FORMAT,
                                              "%s: array '%s': data_offsets are no two counts",
                                              in->path, last_array(in)->tensor.name));
}

bool glnn__fields_take_offset(glnn__fields *in, const glnn__value *from)
{
    size_t *const offsets[] = {&last_array(in)->begin, &last_array(in)->end};
    if (in->offsets == 2 || !read_count(from, offsets[in->offsets]))
        return refuse_offsets(in);
    ++in->offsets;
    return true;
}

bool glnn__fields_take(glnn__fields *in, const glnn__value *from)
{
    static const glnn__value_kind wanted[] = {GLNN__VALUE_STRING, GLNN__VALUE_LIST,
                                              GLNN__VALUE_LIST};
    const char *name = last_array(in)->tensor.name;
    if (in->field == GLNN__FIELD_OTHER || from->kind != wanted[in->field])
        return true;
    if (in->has[in->field])
        return glnn__fields_refuse(in, glnn__fail(GLNN_E_FORMAT, "%s: array '%s' has %s twice",
                                                  in->path, name, field_names[in->field]));
    in->has[in->field] = true;
    if (in->field != GLNN__FIELD_DTYPE)
        return true;
    in->type = find_dtype(from->text, from->length);
    if (!in->type)
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_FORMAT, "%s: array '%s' has the unknown dtype '%.*s'", in->path,
                           name, from->length < 40 ? (int)from->length : 40, from->text));
    return true;
}

bool glnn__fields_end_array(glnn__fields *in)
{
    glnn__header_array *of = last_array(in);
    const char *name = of->tensor.name;
    if (!in->has[GLNN__FIELD_DTYPE] || !in->has[GLNN__FIELD_SHAPE] || !in->has[GLNN__FIELD_OFFSETS])
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_FORMAT, "%s: array '%s' lacks dtype, shape or data_offsets",
                           in->path, name));
    if (in->offsets != 2)
        return refuse_offsets(in);
    if (of->begin > of->end || of->end > in->data_size)
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_FORMAT,
                           "%s: array '%s': the offsets %zu to %zu leave the %zu bytes "
                           "after the header",
                           in->path, name, of->begin, of->end, in->data_size));
    const size_t bits = in->elements * in->type->bits;
    if (bits % 8 != 0 || of->end - of->begin != bits / 8)
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_FORMAT,
                           "%s: array '%s': the offsets %zu to %zu contradict %zu bits "
                           "of %s",
                           in->path, name, of->begin, of->end, bits, in->type->name));
    of->is_readable =
        in->dimensions <= GLNN_TENSOR_MAX_DIMENSIONS && strcmp(in->type->name, "F32") == 0;
    of->tensor.dimensions = of->is_readable ? (int)in->dimensions : 0;
    return true;
}

bool glnn__fields_take_key(glnn__fields *in, const char *key, size_t length)
{
    return keep_string(in, key, length, &in->key);
}

bool glnn__fields_take_text(glnn__fields *in, const glnn__value *text)
{
    glnn__header *out = in->out;
    void *texts = out->texts;
    if (text->kind != GLNN__VALUE_STRING)
        return glnn__fields_refuse(
            in, glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is not a text", in->path, in->key));
    if (!make_room(in, &texts, out->text_count, &in->text_capacity, sizeof *out->texts))
        return false;
    out->texts = texts;
    glnn_metadata *added = &out->texts[out->text_count];
    added->key = in->key;
    if (!keep_string(in, text->text, text->length, &added->value))
        return false;
    ++out->text_count;
    return true;
}
