#include "io/safetensors/safetensors.h"

#include "base/status.h"
#include "io/safetensors/fields.h"
#include "io/safetensors/json.h"
#include "io/table/text.h"

#include <stdlib.h>
#include <string.h>

/* Other programs may add deeper values than the format has, but not without end. */
enum { MAX_DEPTH = 64 };

/* What the values in an object or a list of the header are. */
typedef enum place {
    PLACE_START,
    PLACE_NAMES,    /* arrays and metadata by name */
    PLACE_METADATA, /* texts by key                */
    PLACE_ARRAY,    /* the fields of an array      */
    PLACE_SHAPE,
    PLACE_OFFSETS,
    PLACE_ELSEWHERE /* of no meaning here          */
} place;

typedef struct parsing {
    glnn__fields fields;
    place places[MAX_DEPTH + 1];
    int depth;
    bool is_metadata; /* the last name is that of the metadata */
    bool has_metadata;
} parsing;

static bool refuse_kind(parsing *in)
{
    const char *path = in->fields.path;
    if (in->is_metadata)
        return glnn__fields_refuse(&in->fields, glnn__fail(GLNN_E_FORMAT, "%s: %s is not an object",
                                                           path, GLNN__METADATA_KEY));
    return glnn__fields_end_array(&in->fields); /* which lacks all fields */
}

static bool take(parsing *in, glnn__value value)
{
    switch (in->places[in->depth]) {
    case PLACE_NAMES:
        return value.kind == GLNN__VALUE_OBJECT || refuse_kind(in);
    case PLACE_METADATA:
        return glnn__fields_take_text(&in->fields, &value);
    case PLACE_ARRAY:
        return glnn__fields_take(&in->fields, &value);
    case PLACE_SHAPE:
        return glnn__fields_take_size(&in->fields, &value);
    case PLACE_OFFSETS:
        return glnn__fields_take_offset(&in->fields, &value);
    case PLACE_START:
    case PLACE_ELSEWHERE:
        break;
    }
    return true;
}

static place place_in_field(const parsing *in, glnn__value_kind kind)
{
    if (kind == GLNN__VALUE_LIST && in->fields.field == GLNN__FIELD_SHAPE)
        return PLACE_SHAPE;
    if (kind == GLNN__VALUE_LIST && in->fields.field == GLNN__FIELD_OFFSETS)
        return PLACE_OFFSETS;
    return PLACE_ELSEWHERE;
}

/* The place of the values in an object or a list that starts here. */
static place place_inside(const parsing *in, glnn__value_kind kind)
{
    switch (in->places[in->depth]) {
    case PLACE_START:
        return PLACE_NAMES;
    case PLACE_NAMES:
        return in->is_metadata ? PLACE_METADATA : PLACE_ARRAY;
    case PLACE_ARRAY:
        return place_in_field(in, kind);
    default:
        return PLACE_ELSEWHERE;
    }
}

static bool enter(parsing *in, glnn__value_kind kind)
{
    if (!take(in, (glnn__value){.kind = kind}))
        return false;
    if (in->depth == MAX_DEPTH)
        return glnn__fields_refuse(
            &in->fields, glnn__fail(GLNN_E_FORMAT, "%s: the header is nested more than %d deep",
                                    in->fields.path, MAX_DEPTH));
    const place inside = place_inside(in, kind);
    in->places[++in->depth] = inside;
    return true;
}

static int on_null(void *context)
{
    return take(context, (glnn__value){.kind = GLNN__VALUE_OTHER});
}

static int on_boolean(void *context, int number)
{
    (void)number;
    return on_null(context);
}

static int on_number(void *context, const char *text, size_t length)
{
    return take(context, (glnn__value){GLNN__VALUE_NUMBER, text, length});
}

static int on_string(void *context, const unsigned char *text, size_t length)
{
    return take(context, (glnn__value){GLNN__VALUE_STRING, (const char *)text, length});
}

static int on_object(void *context)
{
    return enter(context, GLNN__VALUE_OBJECT);
}

static int on_list(void *context)
{
    return enter(context, GLNN__VALUE_LIST);
}

static bool take_name(parsing *in, const char *name, size_t length)
{
    in->is_metadata = glnn__text_equals(name, length, GLNN__METADATA_KEY);
    if (!in->is_metadata)
        return glnn__fields_start_array(&in->fields, name, length);
    if (in->has_metadata)
        return glnn__fields_refuse(&in->fields, glnn__fail(GLNN_E_FORMAT, "%s: %s is there twice",
                                                           in->fields.path, GLNN__METADATA_KEY));
    in->has_metadata = true;
    return true;
}

static int on_key(void *context, const unsigned char *bytes, size_t length)
{
    parsing *in = context;
    const char *key = (const char *)bytes;
    switch (in->places[in->depth]) {
    case PLACE_NAMES:
        return take_name(in, key, length);
    case PLACE_METADATA:
        return glnn__fields_take_key(&in->fields, key, length);
    case PLACE_ARRAY:
        glnn__fields_choose(&in->fields, key, length);
        return true;
    default:
        return true;
    }
}

static int on_end(void *context)
{
    parsing *in = context;
    return in->places[in->depth--] != PLACE_ARRAY || glnn__fields_end_array(&in->fields);
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_object,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_list,
    .yajl_end_array = on_end,
};

static int compare_names(const void *left, const void *right)
{
    const glnn__header_array *a = left, *b = right;
    return strcmp(a->tensor.name, b->tensor.name);
}

static int compare_keys(const void *left, const void *right)
{
    const glnn_metadata *a = left, *b = right;
    return strcmp(a->key, b->key);
}

static int compare_places(const void *left, const void *right)
{
    const glnn__header_array *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return compare_names(left, right);
}

static glnn_status check_names(const char *path, const glnn__header *of)
{
    for (size_t i = 1; i < of->array_count; ++i) {
        if (compare_names(&of->arrays[i - 1], &of->arrays[i]) == 0)
            return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' is there twice", path,
                              of->arrays[i].tensor.name);
    }
    for (size_t i = 1; i < of->text_count; ++i) {
        if (compare_keys(&of->texts[i - 1], &of->texts[i]) == 0)
            return glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is there twice", path,
                              of->texts[i].key);
    }
    return GLNN_OK;
}

static glnn_status check_cover(const char *path, const glnn__header *of, size_t data_size)
{
    size_t covered = 0;
    for (size_t i = 0; i < of->array_count; ++i) {
        const glnn__header_array *array = &of->arrays[i];
        if (array->begin != covered)
            return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' starts at %zu, which %s", path,
                              array->tensor.name, array->begin,
                              array->begin < covered ? "overlaps another" : "leaves a gap");
        covered = array->end;
    }
    if (covered != data_size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %zu bytes after the header, but the arrays end at %zu", path,
                          data_size, covered);
    return GLNN_OK;
}

/* Sorts arrays and texts, so that the same name twice and gaps are found without comparing all with
 * all. */
static glnn_status check(const char *path, size_t data_size, glnn__header *of)
{
    if (of->text_count > 0)
        qsort(of->texts, of->text_count, sizeof *of->texts, compare_keys);
    if (of->array_count > 0)
        qsort(of->arrays, of->array_count, sizeof *of->arrays, compare_names);
    GLNN__TRY(check_names(path, of));
    if (of->array_count > 0)
        qsort(of->arrays, of->array_count, sizeof *of->arrays, compare_places);
    return check_cover(path, of, data_size);
}

static glnn_status parse(const char *path, const char *text, size_t size, size_t data_size,
                         glnn__header *out)
{
    parsing in = {.fields = {.path = path, .data_size = data_size, .out = out}};
    if (size == 0 || *text != '{')
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: no safetensors file: its header does not start with '{'", path);
    if (!glnn__text_is_utf8(text, size))
        return glnn__fail(GLNN_E_FORMAT, "%s: the header is not JSON: it is not UTF-8", path);
    out->strings = malloc(size);
    if (!out->strings)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a header of %zu bytes", path, size);
    GLNN__TRY(glnn__json_parse(path, text, size, &callbacks, &in));
    GLNN__TRY(in.fields.status);
    return check(path, data_size, out);
}

glnn_status glnn__header_read(const char *path, const char *text, size_t size, size_t data_size,
                              glnn__header *out)
{
    *out = (glnn__header){0};
    const glnn_status status = parse(path, text, size, data_size, out);
    if (status)
        glnn__header_free(out);
    return status;
}

void glnn__header_free(glnn__header *header)
{
    free(header->strings);
    free(header->arrays);
    free(header->texts);
    *header = (glnn__header){0};
}
