#include <glnn/safetensors.h>

#include "base/half.h"
#include "base/status.h"
#include "io/bytes.h"
#include "io/content.h"
#include "io/safetensors/safetensors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct glnn_safetensors {
    char *text;           /* of the header, with all names and texts                 */
    unsigned char *bytes; /* the arrays as float32, one after the other             */
    glnn__header header;
    glnn_tensor *tensors;
    glnn_tensor **by_name; /* the same in the order of their names                    */
    int count;
};

/* In most files of other formats the first bytes mean a header longer than the file. */
static glnn_status read_header_size(glnn__content *in, size_t *out)
{
    uint64_t size;
    size_t got;
    GLNN__TRY(glnn__content_read(in, &size, sizeof size, &got));
    if (got < sizeof size)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for a safetensors file",
                          in->path, got);
    glnn__bytes_order(&size, 1, sizeof size, false);
    if (in->is_packed || size > in->file_size - GLNN__HEADER_START)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: not a safetensors file, or cut off: its first bytes mean a header of "
            "%llu bytes, but the file has %zu%s",
            in->path, (unsigned long long)size, in->file_size, in->is_packed ? ", compressed" : "");
    if (size > GLNN__HEADER_LIMIT)
        return glnn__fail(GLNN_E_LIMIT, "%s: the header has %llu bytes; at most %d are allowed",
                          in->path, (unsigned long long)size, GLNN__HEADER_LIMIT);
    *out = (size_t)size;
    return GLNN_OK;
}

static bool is_half(const glnn__header_array *of)
{
    return of->element == GLNN__ELEMENT_FLOAT16 || of->element == GLNN__ELEMENT_BFLOAT16;
}

/* The bytes by which arrays of 16 bits grow. */
static size_t growth_of(const glnn__header *header)
{
    size_t growth = 0;
    for (size_t i = 0; i < header->array_count; ++i)
        growth += is_half(&header->arrays[i]) ? header->arrays[i].end - header->arrays[i].begin : 0;
    return growth;
}

/* Every number of 16 bits is a float32 too, so the conversion is exact. */
static void widen(glnn__element element, size_t count, const unsigned char *from, unsigned char *to)
{
    for (size_t i = 0; i < count; ++i) {
        uint16_t half;
        memcpy(&half, from + i * sizeof half, sizeof half);
        glnn__bytes_order(&half, 1, sizeof half, false);
        const uint32_t upper = (uint32_t)half << 16;
        float value = glnn__half_to_float(half);
        if (element == GLNN__ELEMENT_BFLOAT16)
            memcpy(&value, &upper, sizeof value);
        memcpy(to + i * sizeof value, &value, sizeof value);
    }
}

/* Writes an array as float32, and returns how many bytes it takes. */
static size_t convert(const glnn__header_array *of, const unsigned char *from, unsigned char *to)
{
    const size_t size = of->end - of->begin;
    if (is_half(of)) {
        widen(of->element, size / sizeof(uint16_t), from, to);
        return 2 * size;
    }
    memmove(to, from, size);
    glnn__bytes_order(to, size / sizeof(float), sizeof(float), false);
    return size;
}

/* Moves the arrays that are read to the start of the memory, where they are aligned. They lie after
 * `growth` bytes, so each number is read before a float takes its place. */
static void gather_floats(glnn_safetensors *file, size_t growth)
{
    size_t used = 0;
    for (size_t i = 0; i < file->header.array_count; ++i) {
        const glnn__header_array *of = &file->header.arrays[i];
        if (of->element == GLNN__ELEMENT_OTHER)
            continue;
        glnn_tensor *tensor = &file->tensors[file->count];
        *tensor = of->tensor;
        tensor->data = (const float *)(const void *)(file->bytes + used);
        file->by_name[file->count++] = tensor;
        used += convert(of, file->bytes + growth + of->begin, file->bytes + used);
    }
}

static int compare_names(const void *left, const void *right)
{
    const glnn_tensor *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

static glnn_status read_header(glnn__content *in, size_t size, size_t data_size,
                               glnn_safetensors *out)
{
    size_t got;
    out->text = malloc(size + 1);
    if (!out->text)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a header of %zu bytes", in->path, size);
    GLNN__TRY(glnn__content_read(in, out->text, size, &got));
    return glnn__header_read(in->path, out->text, got, data_size, &out->header);
}

static glnn_status read_arrays(glnn__content *in, size_t size, glnn_safetensors *out)
{
    const size_t count = out->header.array_count, growth = growth_of(&out->header);
    size_t got;
    out->bytes = size < SIZE_MAX / 2 ? malloc(growth + size + 1) : NULL;
    out->tensors = calloc(count + 1, sizeof *out->tensors);
    out->by_name = calloc(count + 1, sizeof *out->by_name);
    if (!out->bytes || !out->tensors || !out->by_name)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu arrays of %zu bytes", in->path,
                          count, growth + size);
    GLNN__TRY(glnn__content_read(in, out->bytes + growth, size, &got));
    if (got < size)
        return glnn__fail(GLNN_E_IO, "%s: the file became shorter while it was read", in->path);
    gather_floats(out, growth);
    qsort(out->by_name, (size_t)out->count, sizeof *out->by_name, compare_names);
    return GLNN_OK;
}

static glnn_status read_file(glnn__content *in, glnn_safetensors *out)
{
    size_t header_size = 0;
    GLNN__TRY(read_header_size(in, &header_size));
    const size_t data_size = in->file_size - GLNN__HEADER_START - header_size;
    GLNN__TRY(read_header(in, header_size, data_size, out));
    return read_arrays(in, data_size, out);
}

glnn_status glnn__safetensors_read(const char *path, glnn_safetensors **out)
{
    *out = NULL;
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    glnn_safetensors *file = calloc(1, sizeof *file);
    const glnn_status status =
        file ? read_file(&content, file)
             : glnn__fail(GLNN_E_NOMEM, "%s: no memory for the content of a file", path);
    glnn__content_close(&content);
    if (status)
        glnn_safetensors_free(file);
    else
        *out = file;
    return status;
}

glnn_status glnn_safetensors_read(const char *path, glnn_safetensors **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__NOT_NULL(path);
    return glnn__fail_in(__func__, glnn__safetensors_read(path, out));
}

void glnn_safetensors_free(glnn_safetensors *file)
{
    if (!file)
        return;
    free(file->text);
    free(file->bytes);
    free(file->tensors);
    free(file->by_name);
    glnn__header_free(&file->header);
    free(file);
}

int glnn_safetensors_get_count(const glnn_safetensors *file)
{
    return file ? file->count : 0;
}

const glnn_tensor *glnn_safetensors_get_tensor(const glnn_safetensors *file, int index)
{
    return file && index >= 0 && index < file->count ? &file->tensors[index] : NULL;
}

const glnn_tensor *glnn_safetensors_find_tensor(const glnn_safetensors *file, const char *name)
{
    if (!file || !name)
        return NULL;
    const glnn_tensor wanted = {.name = name}, *key = &wanted;
    glnn_tensor **found =
        bsearch(&key, file->by_name, (size_t)file->count, sizeof(glnn_tensor *), compare_names);
    return found ? *found : NULL;
}

static glnn_status fail_unread(const glnn_safetensors *file, const char *path, const char *name)
{
    for (size_t i = 0; i < file->header.array_count; ++i) {
        const glnn__header_array *of = &file->header.arrays[i];
        if (strcmp(of->tensor.name, name) != 0)
            continue;
        if (of->dimensions > GLNN_TENSOR_MAX_DIMENSIONS)
            return glnn__fail(GLNN_E_FORMAT,
                              "%s: array '%s' has %zu dimensions; at most %d can be read", path,
                              name, of->dimensions, GLNN_TENSOR_MAX_DIMENSIONS);
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: array '%s' has the type %s; F32, F16 and BF16 can be read", path,
                          name, of->type);
    }
    return glnn__fail(GLNN_E_FORMAT, "%s: there is no array '%s'", path, name);
}

glnn_status glnn__safetensors_find(const glnn_safetensors *file, const char *path, const char *name,
                                   const glnn_tensor **out)
{
    *out = glnn_safetensors_find_tensor(file, name);
    return *out ? GLNN_OK : fail_unread(file, path, name);
}

const char *glnn_safetensors_get_metadata(const glnn_safetensors *file, const char *key)
{
    if (!file || !key || file->header.text_count == 0)
        return NULL;
    const glnn_metadata wanted = {.key = key};
    const glnn_metadata *found = bsearch(&wanted, file->header.texts, file->header.text_count,
                                         sizeof wanted, glnn__metadata_compare);
    return found ? found->value : NULL;
}
