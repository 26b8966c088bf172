#include <glnn/safetensors.h>

#include "base/file.h"
#include "base/status.h"
#include "io/bytes.h"
#include "io/safetensors/safetensors.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct glnn_safetensors {
    unsigned char *bytes; /* the arrays of float32 one after the other              */
    glnn__header header;  /* owns all names and texts                                */
    glnn_tensor *tensors;
    glnn_tensor **by_name; /* the same in the order of their names                    */
    int count;
};

/* A file that is being read. */
typedef struct reading {
    const char *path;
    unsigned char *bytes;
    size_t header_size;
    size_t data_size;
    glnn__header header;
} reading;

/* Most files of other kinds promise a header that is longer than they are. */
static glnn_status read_sizes(reading *in, size_t size)
{
    uint64_t header_size;
    if (size < GLNN__HEADER_START)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for a safetensors file",
                          in->path, size);
    memcpy(&header_size, in->bytes, sizeof header_size);
    glnn__bytes_little_endian(&header_size, 1, sizeof header_size);
    if (header_size > size - GLNN__HEADER_START)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: no safetensors file, or one that was cut off: its first bytes "
                          "promise a header of %llu bytes, but the file has %zu",
                          in->path, (unsigned long long)header_size, size);
    if (header_size > GLNN__HEADER_LIMIT)
        return glnn__fail(GLNN_E_LIMIT, "%s: a header of %llu bytes, but at most %d are allowed",
                          in->path, (unsigned long long)header_size, GLNN__HEADER_LIMIT);
    in->header_size = (size_t)header_size;
    in->data_size = size - GLNN__HEADER_START - in->header_size;
    return GLNN_OK;
}

/* Moves the arrays of float32 to the front, where they are aligned. */
static void gather_floats(const reading *in, glnn_safetensors *file)
{
    size_t used = 0;
    const unsigned char *data = in->bytes + GLNN__HEADER_START + in->header_size;
    for (size_t i = 0; i < in->header.array_count; ++i) {
        const glnn__header_array *of = &in->header.arrays[i];
        if (!of->is_readable)
            continue;
        size_t size = of->end - of->begin;
        glnn_tensor *tensor = &file->tensors[file->count];
        *tensor = of->tensor;
        memmove(in->bytes + used, data + of->begin, size);
        glnn__bytes_little_endian(in->bytes + used, size / sizeof(float), sizeof(float));
        tensor->data = (const float *)(const void *)(in->bytes + used);
        file->by_name[file->count++] = tensor;
        used += size;
    }
}

static int compare_names(const void *left, const void *right)
{
    const glnn_tensor *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

static glnn_status make_file(reading *in, glnn_safetensors **out)
{
    const size_t count = in->header.array_count;
    glnn_safetensors *file = calloc(1, sizeof *file);
    glnn_tensor *tensors = calloc(count + 1, sizeof *tensors);
    glnn_tensor **by_name = calloc(count + 1, sizeof *by_name);
    if (!file || !tensors || !by_name) {
        free(file);
        free(tensors);
        free(by_name);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu arrays", in->path, count);
    }
    file->tensors = tensors;
    file->by_name = by_name;
    gather_floats(in, file);
    qsort(by_name, (size_t)file->count, sizeof(glnn_tensor *), compare_names);
    file->bytes = in->bytes;
    file->header = in->header;
    in->bytes = NULL;
    in->header = (glnn__header){0};
    *out = file;
    return GLNN_OK;
}

static glnn_status read_file(reading *in, glnn_safetensors **out)
{
    size_t size;
    GLNN__TRY(glnn__file_read(in->path, &in->bytes, &size));
    GLNN__TRY(read_sizes(in, size));
    GLNN__TRY(glnn__header_read(in->path, (const char *)in->bytes + GLNN__HEADER_START,
                                in->header_size, in->data_size, &in->header));
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
    glnn__header_free(&in.header);
    return status;
}

void glnn_safetensors_close(glnn_safetensors *file)
{
    if (!file)
        return;
    free(file->bytes);
    free(file->tensors);
    free(file->by_name);
    glnn__header_free(&file->header);
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
    if (!file || !name)
        return NULL;
    const glnn_tensor wanted = {.name = name}, *key = &wanted;
    glnn_tensor **found =
        bsearch(&key, file->by_name, (size_t)file->count, sizeof(glnn_tensor *), compare_names);
    return found ? *found : NULL;
}

static int compare_keys(const void *left, const void *right)
{
    const glnn_metadata *a = left, *b = right;
    return strcmp(a->key, b->key);
}

const char *glnn_safetensors_metadata(const glnn_safetensors *file, const char *key)
{
    if (!file || !key || file->header.text_count == 0)
        return NULL;
    const glnn_metadata wanted = {.key = key};
    const glnn_metadata *found =
        bsearch(&wanted, file->header.texts, file->header.text_count, sizeof wanted, compare_keys);
    return found ? found->value : NULL;
}
