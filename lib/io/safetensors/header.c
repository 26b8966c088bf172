#include "io/safetensors/safetensors.h"

#include "base/memory.h"
#include "base/status.h"
#include "io/scan.h"
#include "io/table/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Elements of an array, so that their bits can be counted for the widest type. */
#define MAX_ELEMENTS (SIZE_MAX / 64)

/* A header that is being read. */
typedef struct parsing {
    size_t data_size; /* bytes after the header */
    glnn__header *out;
    size_t array_capacity, text_capacity;
    bool has_metadata;
} parsing;

typedef struct dtype {
    const char *name;
    size_t bits;
    glnn__element element;
} dtype;

/* The fields of an array. */
enum { DTYPE, SHAPE, OFFSETS, FIELDS };

/* An array that is being read. */
typedef struct reading {
    const char *name;
    glnn__header_array *out;
    bool has[FIELDS];
    const dtype *type;
    size_t dimensions, elements, offsets;
} reading;

static glnn_status read_dtype(glnn__scan *in, reading *array)
{
    static const dtype dtypes[] = {
        {"F32", 32, GLNN__ELEMENT_FLOAT32},   {"F16", 16, GLNN__ELEMENT_FLOAT16},
        {"BF16", 16, GLNN__ELEMENT_BFLOAT16}, {"F64", 64, GLNN__ELEMENT_OTHER},
        {"I64", 64, GLNN__ELEMENT_OTHER},     {"I32", 32, GLNN__ELEMENT_OTHER},
        {"I16", 16, GLNN__ELEMENT_OTHER},     {"I8", 8, GLNN__ELEMENT_OTHER},
        {"U64", 64, GLNN__ELEMENT_OTHER},     {"U32", 32, GLNN__ELEMENT_OTHER},
        {"U16", 16, GLNN__ELEMENT_OTHER},     {"U8", 8, GLNN__ELEMENT_OTHER},
        {"BOOL", 8, GLNN__ELEMENT_OTHER},     {"C64", 64, GLNN__ELEMENT_OTHER},
        {"F8_E4M3", 8, GLNN__ELEMENT_OTHER},  {"F8_E5M2", 8, GLNN__ELEMENT_OTHER},
        {"F8_E8M0", 8, GLNN__ELEMENT_OTHER},  {"F6_E2M3", 6, GLNN__ELEMENT_OTHER},
        {"F6_E3M2", 6, GLNN__ELEMENT_OTHER},  {"F4", 4, GLNN__ELEMENT_OTHER},
    };
    char *name;
    GLNN__TRY(glnn__scan_text(in, "a dtype", &name));
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
        if (strcmp(name, dtypes[i].name) == 0)
            array->type = &dtypes[i];
    if (!array->type)
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': dtype '%.40s' is unknown", in->path,
                          array->name, name);
    return GLNN_OK;
}

static glnn_status read_size(glnn__scan *in, void *context)
{
    reading *array = context;
    size_t size;
    if (!glnn__scan_count(in, &size) || size == SIZE_MAX)
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': size %zu is not a count", in->path,
                          array->name, array->dimensions);
    if (size > 0 && array->elements > MAX_ELEMENTS / size)
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': the product of its sizes is too large",
                          in->path, array->name);
    array->elements *= size;
    if (array->dimensions < GLNN_TENSOR_MAX_DIMENSIONS)
        array->out->tensor.shape[array->dimensions] = size;
    ++array->dimensions;
    return GLNN_OK;
}

static glnn_status read_shape(glnn__scan *in, reading *array)
{
    return glnn__scan_list(in, "[]", read_size, array);
}

static glnn_status fail_offsets(const glnn__scan *in, const reading *array)
{
    return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': data_offsets are not two counts", in->path,
                      array->name);
}

static glnn_status read_offset(glnn__scan *in, void *context)
{
    reading *array = context;
    size_t *const offsets[] = {&array->out->begin, &array->out->end};
    if (array->offsets == 2 || !glnn__scan_count(in, offsets[array->offsets]))
        return fail_offsets(in, array);
    ++array->offsets;
    return GLNN_OK;
}

static glnn_status read_offsets(glnn__scan *in, reading *array)
{
    return glnn__scan_list(in, "[]", read_offset, array);
}

/* Other programs may add fields, and a value that starts with another character counts as one. */
static glnn_status read_field(glnn__scan *in, void *context)
{
    static const struct {
        const char *name;
        char first;
        glnn_status (*read)(glnn__scan *in, reading *array);
    } fields[FIELDS] = {{"dtype", '"', read_dtype},
                        {"shape", '[', read_shape},
                        {"data_offsets", '[', read_offsets}};
    reading *array = context;
    char *name;
    int field = 0;
    GLNN__TRY(glnn__scan_text(in, "a field", &name));
    GLNN__TRY(glnn__scan_need(in, ":"));
    while (field < FIELDS && strcmp(name, fields[field].name) != 0)
        ++field;
    if (field == FIELDS || glnn__scan_next(in) != fields[field].first)
        return glnn__scan_skip(in, 2);
    if (array->has[field])
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' has %s twice", in->path, array->name,
                          name);
    array->has[field] = true;
    return fields[field].read(in, array);
}

/* Checks an array after all of its fields have been read. */
static glnn_status check_array(const glnn__scan *in, const reading *array, size_t data_size)
{
    const glnn__header_array *of = array->out;
    if (!array->has[DTYPE] || !array->has[SHAPE] || !array->has[OFFSETS])
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' has no dtype, shape or data_offsets",
                          in->path, array->name);
    if (array->offsets != 2)
        return fail_offsets(in, array);
    if (of->begin > of->end)
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': the offsets %zu to %zu do not ascend",
                          in->path, array->name, of->begin, of->end);
    if (of->end > data_size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: array '%s' ends %zu bytes after the header, but the file has only "
                          "%zu there, so that it was probably cut off",
                          in->path, array->name, of->end, data_size);
    const size_t bits = array->elements * array->type->bits;
    if (bits % 8 != 0 || of->end - of->begin != bits / 8)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: array '%s': its shape needs %zu bits of %s, but the offsets %zu to "
                          "%zu hold %zu bytes",
                          in->path, array->name, bits, array->type->name, of->begin, of->end,
                          of->end - of->begin);
    return GLNN_OK;
}

static glnn_status fail_memory(const glnn__scan *in, size_t count)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for more than %zu names", in->path, count);
}

static glnn_status read_array(glnn__scan *in, parsing *of, const char *name)
{
    glnn__header *out = of->out;
    if (!glnn__memory_grow(&out->arrays, out->array_count, &of->array_capacity,
                           sizeof *out->arrays))
        return fail_memory(in, out->array_count);
    glnn__header_array *added = &out->arrays[out->array_count++];
    *added = (glnn__header_array){.tensor.name = name};
    reading array = {.name = name, .out = added, .elements = 1};
    if (glnn__scan_next(in) == '{')
        GLNN__TRY(glnn__scan_list(in, "{}", read_field, &array));
    GLNN__TRY(check_array(in, &array, of->data_size));
    const bool fits = array.dimensions <= GLNN_TENSOR_MAX_DIMENSIONS;
    added->type = array.type->name;
    added->element = fits ? array.type->element : GLNN__ELEMENT_OTHER;
    added->dimensions = array.dimensions;
    added->tensor.dimensions = fits ? (int)array.dimensions : 0;
    return GLNN_OK;
}

static glnn_status read_text(glnn__scan *in, void *context)
{
    parsing *of = context;
    glnn__header *out = of->out;
    char *key, *value;
    GLNN__TRY(glnn__scan_text(in, "a key", &key));
    GLNN__TRY(glnn__scan_need(in, ":"));
    if (glnn__scan_next(in) != '"')
        return glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is not a text", in->path, key);
    GLNN__TRY(glnn__scan_text(in, "a text", &value));
    if (!glnn__memory_grow(&out->texts, out->text_count, &of->text_capacity, sizeof *out->texts))
        return fail_memory(in, out->text_count);
    out->texts[out->text_count++] = (glnn_metadata){key, value};
    return GLNN_OK;
}

static glnn_status read_name(glnn__scan *in, void *context)
{
    parsing *of = context;
    char *name;
    GLNN__TRY(glnn__scan_text(in, "a name", &name));
    GLNN__TRY(glnn__scan_need(in, ":"));
    if (strcmp(name, GLNN__METADATA_KEY) != 0)
        return read_array(in, of, name);
    if (of->has_metadata || glnn__scan_next(in) != '{')
        return glnn__fail(GLNN_E_FORMAT, "%s: %s is %s", in->path, name,
                          of->has_metadata ? "given twice" : "not an object");
    of->has_metadata = true;
    return glnn__scan_list(in, "{}", read_text, of);
}

static int compare_names(const void *left, const void *right)
{
    const glnn__header_array *a = left, *b = right;
    return strcmp(a->tensor.name, b->tensor.name);
}

int glnn__metadata_compare(const void *left, const void *right)
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
    for (size_t i = 1; i < of->array_count; ++i)
        if (compare_names(&of->arrays[i - 1], &of->arrays[i]) == 0)
            return glnn__fail(GLNN_E_FORMAT, "%s: two arrays have the name '%s'", path,
                              of->arrays[i].tensor.name);
    for (size_t i = 1; i < of->text_count; ++i)
        if (glnn__metadata_compare(&of->texts[i - 1], &of->texts[i]) == 0)
            return glnn__fail(GLNN_E_FORMAT, "%s: two texts of the metadata have the key '%s'",
                              path, of->texts[i].key);
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

/* Sorts arrays and texts, so that repeated names and gaps are found without comparing all with
 * all. */
static glnn_status check(const char *path, size_t data_size, glnn__header *of)
{
    if (of->text_count > 0)
        qsort(of->texts, of->text_count, sizeof *of->texts, glnn__metadata_compare);
    if (of->array_count > 0)
        qsort(of->arrays, of->array_count, sizeof *of->arrays, compare_names);
    GLNN__TRY(check_names(path, of));
    if (of->array_count > 0)
        qsort(of->arrays, of->array_count, sizeof *of->arrays, compare_places);
    return check_cover(path, of, data_size);
}

static glnn_status parse(const char *path, char *text, size_t size, size_t data_size,
                         glnn__header *out)
{
    parsing of = {.data_size = data_size, .out = out};
    glnn__scan in = {.path = path,
                     .language = "JSON",
                     .quotes = "\"",
                     .start = text,
                     .next = text,
                     .end = text + size};
    if (size == 0 || *text != '{')
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: not a safetensors file: its header does not begin with '{'", path);
    if (!glnn__text_is_utf8(text, size))
        return glnn__fail(GLNN_E_FORMAT, "%s: the header is not JSON: it is not UTF-8", path);
    GLNN__TRY(glnn__scan_list(&in, "{}", read_name, &of));
    glnn__scan_next(&in);
    return in.next == in.end ? check(path, data_size, out) : glnn__scan_fail(&in, "blanks");
}

glnn_status glnn__header_read(const char *path, char *text, size_t size, size_t data_size,
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
    free(header->arrays);
    free(header->texts);
    *header = (glnn__header){0};
}
