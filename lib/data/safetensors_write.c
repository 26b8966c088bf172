#include <glnn/safetensors.h>

#include "base/file.h"
#include "base/status.h"
#include "data/bytes.h"
#include "data/safetensors.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The header is padded so that the arrays start at a multiple of this. */
#define ALIGNMENT 8

static glnn_status count_bytes(const glnn_tensor *tensor, size_t *bytes)
{
    if (tensor->dimensions < 0 || tensor->dimensions > GLNN_TENSOR_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_ARG, "array '%s' has %d dimensions, but 0 to %d can be written",
                          tensor->name, tensor->dimensions, GLNN_TENSOR_MAX_DIMENSIONS);
    *bytes = sizeof(float);
    for (int d = 0; d < tensor->dimensions; ++d) {
        if (tensor->size[d] > (size_t)PTRDIFF_MAX / (*bytes ? *bytes : 1))
            return glnn__fail(GLNN_E_LIMIT, "array '%s' is larger than memory can address",
                              tensor->name);
        *bytes *= tensor->size[d];
    }
    if (*bytes > 0 && !tensor->data)
        return glnn__fail(GLNN_E_ARG, "array '%s' has no data", tensor->name);
    return GLNN_OK;
}

static glnn_status fail_memory(const char *path)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the header", path);
}

/* A JSON text; what is no UTF-8 cannot be told from a lack of memory by the checking call alone. */
static glnn_status make_text(const char *path, const char *text, json_t **out)
{
    *out = json_string_nocheck(text);
    if (!*out)
        return fail_memory(path);
    json_t *checked = json_string(text);
    if (!checked) {
        json_decref(*out);
        return glnn__fail(GLNN_E_ARG, "%s: the text '%.60s' is no UTF-8", path, text);
    }
    json_decref(checked);
    return GLNN_OK;
}

static glnn_status add_metadata(const char *path, const glnn_metadata *metadata, int count,
                                json_t *header)
{
    json_t *texts = json_object();
    if (!texts || json_object_set_new(header, GLNN__METADATA_KEY, texts))
        return fail_memory(path);
    for (int i = 0; i < count; ++i) {
        const char *key = metadata[i].key;
        json_t *key_text, *value;
        if (!key || !metadata[i].value)
            return glnn__fail(GLNN_E_ARG, "%s: metadata %d lacks a key or a text", path, i);
        if (json_object_get(texts, key))
            return glnn__fail(GLNN_E_ARG, "%s: metadata '%s' is there twice", path, key);
        GLNN__TRY(make_text(path, key, &key_text));
        json_decref(key_text);
        GLNN__TRY(make_text(path, metadata[i].value, &value));
        if (json_object_set_new_nocheck(texts, key, value))
            return fail_memory(path);
    }
    return GLNN_OK;
}

static json_t *make_shape(const glnn_tensor *tensor)
{
    json_t *shape = json_array();
    for (int d = 0; shape && d < tensor->dimensions; ++d) {
        if (json_array_append_new(shape, json_integer((json_int_t)tensor->size[d]))) {
            json_decref(shape);
            shape = NULL;
        }
    }
    return shape;
}

static glnn_status add_tensor(const char *path, const glnn_tensor *tensor, json_t *header,
                              size_t *end)
{
    const char *name = tensor->name;
    if (!name || !*name || strcmp(name, GLNN__METADATA_KEY) == 0)
        return glnn__fail(GLNN_E_ARG, "%s: an array cannot be named '%s'", path, name ? name : "");
    if (json_object_get(header, name))
        return glnn__fail(GLNN_E_ARG, "%s: two arrays are named '%s'", path, name);
    size_t bytes = 0;
    GLNN__TRY(count_bytes(tensor, &bytes));
    if (bytes > (size_t)PTRDIFF_MAX - *end)
        return glnn__fail(GLNN_E_LIMIT, "%s: more arrays than memory can address", path);
    json_t *text;
    GLNN__TRY(make_text(path, name, &text));
    json_decref(text);
    json_t *info = json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", make_shape(tensor),
                             "data_offsets", (json_int_t)*end, (json_int_t)(*end + bytes));
    if (!info || json_object_set_new_nocheck(header, name, info))
        return fail_memory(path);
    *end += bytes;
    return GLNN_OK;
}

static glnn_status check_arguments(const char *path, const glnn_tensor *tensors, int count,
                                   const glnn_metadata *metadata, int metadata_count)
{
    if (!path || (!tensors && count > 0) || (!metadata && metadata_count > 0))
        return glnn__fail(GLNN_E_ARG, "glnn_safetensors_write: %s is null",
                          !path                   ? "path"
                          : !tensors && count > 0 ? "tensors"
                                                  : "metadata");
    if (count < 0 || metadata_count < 0)
        return glnn__fail(GLNN_E_ARG, "glnn_safetensors_write: %d arrays and %d texts", count,
                          metadata_count);
    return GLNN_OK;
}

/* The arrays are copied, since their bytes may have to change order. */
static void copy_arrays(const glnn_tensor *tensors, int count, unsigned char *to)
{
    for (int i = 0; i < count; ++i) {
        size_t size = sizeof(float);
        for (int d = 0; d < tensors[i].dimensions; ++d)
            size *= tensors[i].size[d];
        if (size > 0)
            memcpy(to, tensors[i].data, size);
        glnn__bytes_little_endian(to, size / sizeof(float), sizeof(float));
        to += size;
    }
}

static glnn_status store(const char *path, const char *header, const glnn_tensor *tensors,
                         int count, size_t data_size)
{
    size_t text_size = strlen(header);
    size_t header_size = (text_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (header_size > GLNN__HEADER_LIMIT)
        return glnn__fail(GLNN_E_LIMIT, "%s: a header of %zu bytes, but at most %d are allowed",
                          path, header_size, GLNN__HEADER_LIMIT);
    size_t size = GLNN__HEADER_START + header_size + data_size;
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    uint64_t promised = header_size;
    glnn__bytes_little_endian(&promised, 1, sizeof promised);
    memcpy(bytes, &promised, sizeof promised);
    memset(bytes + GLNN__HEADER_START, ' ', header_size);
    memcpy(bytes + GLNN__HEADER_START, header, text_size);
    copy_arrays(tensors, count, bytes + GLNN__HEADER_START + header_size);
    glnn_status status = glnn__file_replace(path, &(glnn__span){bytes, size}, 1);
    free(bytes);
    return status;
}

static glnn_status write_file(const char *path, const glnn_tensor *tensors, int count,
                              const glnn_metadata *metadata, int metadata_count, json_t *header)
{
    size_t data_size = 0;
    if (metadata_count > 0)
        GLNN__TRY(add_metadata(path, metadata, metadata_count, header));
    for (int i = 0; i < count; ++i)
        GLNN__TRY(add_tensor(path, &tensors[i], header, &data_size));
    char *text = json_dumps(header, JSON_COMPACT);
    if (!text)
        return fail_memory(path);
    glnn_status status = store(path, text, tensors, count, data_size);
    free(text);
    return status;
}

glnn_status glnn_safetensors_write(const char *path, const glnn_tensor *tensors, int count,
                                   const glnn_metadata *metadata, int metadata_count)
{
    GLNN__TRY(check_arguments(path, tensors, count, metadata, metadata_count));
    json_t *header = json_object();
    if (!header)
        return fail_memory(path);
    glnn_status status = write_file(path, tensors, count, metadata, metadata_count, header);
    json_decref(header);
    return status;
}
