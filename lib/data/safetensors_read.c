#include <glnn/safetensors.h>

#include "base/file.h"
#include "base/status.h"
#include "data/bytes.h"
#include "data/safetensors.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct glnn_safetensors {
    unsigned char *bytes; /* the arrays of float32 one behind the other              */
    json_t *header;       /* owns all names and texts                                */
    glnn_tensor *tensors;
    int count;
};

/* An array of any type while the file is checked. */
typedef struct entry {
    glnn_tensor tensor; /* without data                                               */
    size_t begin, end;  /* in the bytes behind the header                             */
    size_t index;       /* in the header                                              */
    bool readable;      /* float32 of few enough dimensions                           */
} entry;

/* A file that is being read. */
typedef struct reading {
    const char *path;
    unsigned char *bytes;
    size_t header_size;
    size_t data_size;
    json_t *header;
    entry *entries;
    size_t count;
} reading;

/* 0 for an unknown dtype. */
static size_t bits_of_dtype(const char *dtype)
{
    static const struct {
        const char *name;
        size_t bits;
    } dtypes[] = {
        {"F32", 32},    {"F64", 64},    {"F16", 16},    {"BF16", 16},   {"I64", 64},
        {"I32", 32},    {"I16", 16},    {"I8", 8},      {"U64", 64},    {"U32", 32},
        {"U16", 16},    {"U8", 8},      {"BOOL", 8},    {"C64", 64},    {"F8_E4M3", 8},
        {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
    };
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i) {
        if (strcmp(dtypes[i].name, dtype) == 0)
            return dtypes[i].bits;
    }
    return 0;
}

static glnn_status read_sizes(reading *in, size_t size)
{
    uint64_t header_size;
    if (size < GLNN__HEADER_START)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for a safetensors file",
                          in->path, size);
    memcpy(&header_size, in->bytes, sizeof header_size);
    glnn__bytes_little_endian(&header_size, 1, sizeof header_size);
    if (header_size > GLNN__HEADER_LIMIT)
        return glnn__fail(GLNN_E_LIMIT, "%s: a header of %llu bytes, but at most %d are allowed",
                          in->path, (unsigned long long)header_size, GLNN__HEADER_LIMIT);
    if (header_size > size - GLNN__HEADER_START)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: a header of %llu bytes is promised, but the file has %zu", in->path,
                          (unsigned long long)header_size, size);
    in->header_size = (size_t)header_size;
    in->data_size = size - GLNN__HEADER_START - in->header_size;
    return GLNN_OK;
}

static glnn_status parse_header(reading *in)
{
    const char *text = (const char *)in->bytes + GLNN__HEADER_START;
    if (in->header_size == 0 || *text != '{')
        return glnn__fail(GLNN_E_FORMAT, "%s: the header does not start with '{'", in->path);
    json_error_t error;
    in->header = json_loadb(text, in->header_size, JSON_REJECT_DUPLICATES, &error);
    if (!in->header)
        return glnn__fail(
            json_error_code(&error) == json_error_out_of_memory ? GLNN_E_NOMEM : GLNN_E_FORMAT,
            "%s: the header is no JSON, at its byte %d: %s", in->path, error.position, error.text);
    return GLNN_OK;
}

static glnn_status check_metadata(const reading *in, json_t *metadata)
{
    const char *key;
    json_t *value;
    if (!json_is_object(metadata))
        return glnn__fail(GLNN_E_FORMAT, "%s: %s is no object", in->path, GLNN__METADATA_KEY);
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is no text", in->path, key);
    }
    return GLNN_OK;
}

static bool read_size(const json_t *number, size_t *size)
{
    json_int_t value = json_integer_value(number);
    if (!json_is_integer(number) || value < 0 || (unsigned long long)value > SIZE_MAX)
        return false;
    *size = (size_t)value;
    return true;
}

/* Reads the shape and multiplies it by the bits of an element. */
static glnn_status read_shape(const reading *in, const json_t *shape, entry *of, size_t *bits)
{
    size_t dimensions = json_array_size(shape);
    of->readable = of->readable && dimensions <= GLNN_TENSOR_MAX_DIMENSIONS;
    of->tensor.dimensions = of->readable ? (int)dimensions : 0;
    for (size_t d = 0; d < dimensions; ++d) {
        size_t size;
        if (!read_size(json_array_get(shape, d), &size))
            return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': size %zu is no count", in->path,
                              of->tensor.name, d);
        if (size > 0 && *bits > SIZE_MAX / size)
            return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': the sizes' product overflows",
                              in->path, of->tensor.name);
        *bits *= size;
        if (of->readable)
            of->tensor.size[d] = size;
    }
    return GLNN_OK;
}

static glnn_status read_offsets(const reading *in, const json_t *offsets, entry *of)
{
    if (json_array_size(offsets) != 2 || !read_size(json_array_get(offsets, 0), &of->begin) ||
        !read_size(json_array_get(offsets, 1), &of->end))
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s': data_offsets are no two counts", in->path,
                          of->tensor.name);
    if (of->begin > of->end || of->end > in->data_size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: array '%s': the offsets %zu to %zu leave the %zu bytes behind the "
                          "header",
                          in->path, of->tensor.name, of->begin, of->end, in->data_size);
    return GLNN_OK;
}

static glnn_status read_entry(const reading *in, const json_t *info, entry *of)
{
    const json_t *dtype = json_object_get(info, "dtype");
    const json_t *shape = json_object_get(info, "shape");
    const json_t *offsets = json_object_get(info, "data_offsets");
    if (!json_is_string(dtype) || !json_is_array(shape) || !json_is_array(offsets))
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' lacks dtype, shape or data_offsets",
                          in->path, of->tensor.name);
    const char *type = json_string_value(dtype);
    size_t bits = bits_of_dtype(type);
    if (!bits)
        return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' has the unknown dtype '%.40s'", in->path,
                          of->tensor.name, type);
    of->readable = strcmp(type, "F32") == 0;
    GLNN__TRY(read_shape(in, shape, of, &bits));
    GLNN__TRY(read_offsets(in, offsets, of));
    if (bits % 8 != 0 || of->end - of->begin != bits / 8)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: array '%s': the offsets %zu to %zu contradict %zu bits of %s",
                          in->path, of->tensor.name, of->begin, of->end, bits, type);
    return GLNN_OK;
}

static glnn_status read_entries(reading *in)
{
    in->entries = calloc(json_object_size(in->header) + 1, sizeof *in->entries);
    if (!in->entries)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu arrays", in->path,
                          json_object_size(in->header));
    const char *name;
    json_t *info;
    json_object_foreach(in->header, name, info)
    {
        if (strcmp(name, GLNN__METADATA_KEY) == 0) {
            GLNN__TRY(check_metadata(in, info));
            continue;
        }
        entry *of = &in->entries[in->count];
        of->tensor.name = name;
        of->index = in->count++;
        GLNN__TRY(read_entry(in, info, of));
    }
    return GLNN_OK;
}

static int compare_places(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Sorts the arrays as they lie in the file and checks that they cover it. */
static glnn_status check_cover(reading *in)
{
    size_t covered = 0;
    qsort(in->entries, in->count, sizeof *in->entries, compare_places);
    for (size_t i = 0; i < in->count; ++i) {
        const entry *of = &in->entries[i];
        if (of->begin != covered)
            return glnn__fail(GLNN_E_FORMAT, "%s: array '%s' starts at %zu, which %s", in->path,
                              of->tensor.name, of->begin,
                              of->begin < covered ? "overlaps another" : "leaves a gap");
        covered = of->end;
    }
    if (covered != in->data_size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %zu bytes behind the header, but the arrays end at "
                          "%zu",
                          in->path, in->data_size, covered);
    return GLNN_OK;
}

/* Moves the arrays of float32 to the front, where they are aligned. */
static void gather_floats(const reading *in, glnn_safetensors *file)
{
    size_t used = 0;
    const unsigned char *data = in->bytes + GLNN__HEADER_START + in->header_size;
    for (size_t i = 0; i < in->count; ++i) {
        const entry *of = &in->entries[i];
        if (!of->readable)
            continue;
        size_t size = of->end - of->begin;
        glnn_tensor *tensor = &file->tensors[file->count++];
        *tensor = of->tensor;
        memmove(in->bytes + used, data + of->begin, size);
        glnn__bytes_little_endian(in->bytes + used, size / sizeof(float), sizeof(float));
        tensor->data = (const float *)(const void *)(in->bytes + used);
        used += size;
    }
}

static glnn_status make_file(reading *in, glnn_safetensors **out)
{
    glnn_safetensors *file = calloc(1, sizeof *file);
    glnn_tensor *tensors = calloc(in->count + 1, sizeof *tensors);
    if (!file || !tensors) {
        free(file);
        free(tensors);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu arrays", in->path, in->count);
    }
    file->tensors = tensors;
    gather_floats(in, file);
    file->bytes = in->bytes;
    file->header = in->header;
    in->bytes = NULL;
    in->header = NULL;
    *out = file;
    return GLNN_OK;
}

static glnn_status read_file(reading *in, glnn_safetensors **out)
{
    size_t size;
    GLNN__TRY(glnn__file_read(in->path, &in->bytes, &size));
    GLNN__TRY(read_sizes(in, size));
    GLNN__TRY(parse_header(in));
    GLNN__TRY(read_entries(in));
    GLNN__TRY(check_cover(in));
    return make_file(in, out);
}

glnn_status glnn_safetensors_open(const char *path, glnn_safetensors **out)
{
    if (!path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_safetensors_open: %s is null", path ? "out" : "path");
    *out = NULL;
    reading in = {.path = path};
    glnn_status status = read_file(&in, out);
    free(in.bytes);
    free(in.entries);
    json_decref(in.header);
    return status;
}

void glnn_safetensors_close(glnn_safetensors *file)
{
    if (!file)
        return;
    free(file->bytes);
    free(file->tensors);
    json_decref(file->header);
    free(file);
}

int glnn_safetensors_count(const glnn_safetensors *file)
{
    return file ? file->count : 0;
}

const glnn_tensor *glnn_safetensors_get(const glnn_safetensors *file, int index)
{
    return file && index >= 0 && index < file->count ? &file->tensors[index] : NULL;
}

const glnn_tensor *glnn_safetensors_find(const glnn_safetensors *file, const char *name)
{
    for (int i = 0; name && i < glnn_safetensors_count(file); ++i) {
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    }
    return NULL;
}

const char *glnn_safetensors_metadata(const glnn_safetensors *file, const char *key)
{
    if (!file || !key)
        return NULL;
    return json_string_value(
        json_object_get(json_object_get(file->header, GLNN__METADATA_KEY), key));
}
