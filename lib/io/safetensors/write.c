#include <glnn/safetensors.h>

#include "base/file.h"
#include "base/status.h"
#include "io/bytes.h"
#include "io/growing_text.h"
#include "io/safetensors/safetensors.h"
#include "io/table/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The header is padded so that the arrays start at a multiple of this. */
#define ALIGNMENT 8

/* A file that is being written. */
typedef struct writing {
    const char *path;
    const glnn_tensor *tensors;
    size_t tensor_count;
    const glnn_metadata *metadata;
    size_t metadata_count;
    size_t data_size; /* bytes of the arrays */
    bool keeps_old;   /* the former file, under another name */
} writing;

static size_t bytes_of(const glnn_tensor *tensor)
{
    size_t bytes = sizeof(float);
    for (int d = 0; d < tensor->dimensions; ++d)
        bytes *= tensor->shape[d];
    return bytes;
}

static glnn_status check_size(const glnn_tensor *tensor)
{
    size_t bytes = sizeof(float);
    if (tensor->dimensions < 0 || tensor->dimensions > GLNN_TENSOR_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_ARG, "array '%s' has %d dimensions; it must have 0 to %d",
                          tensor->name, tensor->dimensions, GLNN_TENSOR_MAX_DIMENSIONS);
    for (int d = 0; d < tensor->dimensions; ++d) {
        if (tensor->shape[d] > (size_t)PTRDIFF_MAX / (bytes ? bytes : 1))
            return glnn__fail(GLNN_E_LIMIT, "memory cannot address array '%s'", tensor->name);
        bytes *= tensor->shape[d];
    }
    if (bytes > 0 && !tensor->data)
        return glnn__fail(GLNN_E_ARG, "the data of array '%s' is null", tensor->name);
    return GLNN_OK;
}

static glnn_status check_text(const char *path, const char *text)
{
    if (!glnn__text_is_utf8(text, strlen(text)))
        return glnn__fail(GLNN_E_ARG, "%s: the text '%.60s' is not UTF-8", path, text);
    return GLNN_OK;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Sorts the names, and returns one that is repeated or NULL. */
static const char *find_twice(const char **names, size_t count)
{
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count; ++i) {
        if (strcmp(names[i - 1], names[i]) == 0)
            return names[i];
    }
    return NULL;
}

static glnn_status check_metadata(const writing *out, const char **names)
{
    for (size_t i = 0; i < out->metadata_count; ++i) {
        const glnn_metadata *of = &out->metadata[i];
        if (!of->key || !of->value)
            return glnn__fail(GLNN_E_ARG, "%s: the key or the text of metadata %zu is null",
                              out->path, i);
        GLNN__TRY(check_text(out->path, of->key));
        GLNN__TRY(check_text(out->path, of->value));
        names[i] = of->key;
    }
    const char *twice = find_twice(names, out->metadata_count);
    if (twice)
        return glnn__fail(GLNN_E_ARG, "%s: two texts of the metadata have the key '%s'", out->path,
                          twice);
    return GLNN_OK;
}

/* Checks the arrays and adds up their sizes. */
static glnn_status check_tensors(writing *out, const char **names)
{
    for (size_t i = 0; i < out->tensor_count; ++i) {
        const char *name = out->tensors[i].name;
        if (!name || !*name || strcmp(name, GLNN__METADATA_KEY) == 0)
            return glnn__fail(GLNN_E_ARG, "%s: '%s' cannot be the name of an array", out->path,
                              name ? name : "");
        GLNN__TRY(check_text(out->path, name));
        GLNN__TRY(check_size(&out->tensors[i]));
        const size_t bytes = bytes_of(&out->tensors[i]);
        if (bytes > (size_t)PTRDIFF_MAX - out->data_size)
            return glnn__fail(GLNN_E_LIMIT, "%s: memory cannot address the arrays", out->path);
        out->data_size += bytes;
        names[i] = name;
    }
    const char *twice = find_twice(names, out->tensor_count);
    if (twice)
        return glnn__fail(GLNN_E_ARG, "%s: two arrays have the name '%s'", out->path, twice);
    return GLNN_OK;
}

static glnn_status check_content(writing *out)
{
    const size_t count = out->tensor_count + out->metadata_count;
    const char **names = malloc((count + 1) * sizeof *names);
    if (!names)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu names", out->path, count);
    glnn_status status = check_metadata(out, names);
    if (!status)
        status = check_tensors(out, names);
    free(names);
    return status;
}

/* Prints a text in quotes. */
static void print_text(glnn__growing_text *to, const char *text)
{
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    glnn__text_print(to, "\"");
    while (*text) {
        int plain = 0;
        while (plain < 1024 && (unsigned char)text[plain] >= ' ' && text[plain] != '"' &&
               text[plain] != '\\')
            ++plain;
        const char *found = plain == 0 ? strchr(special, *text) : NULL;
        if (plain > 0)
            glnn__text_print(to, "%.*s", plain, text);
        else if (found)
            glnn__text_print(to, "\\%c", letters[found - special]);
        else
            glnn__text_print(to, "\\u%04X", (unsigned)*text);
        text += plain > 0 ? plain : 1;
    }
    glnn__text_print(to, "\"");
}

static void print_metadata(glnn__growing_text *to, const writing *out)
{
    for (size_t i = 0; i < out->metadata_count; ++i) {
        glnn__text_print(to, i ? "," : "\"" GLNN__METADATA_KEY "\":{");
        print_text(to, out->metadata[i].key);
        glnn__text_print(to, ":");
        print_text(to, out->metadata[i].value);
    }
    if (out->metadata_count > 0)
        glnn__text_print(to, "}");
}

static void print_tensor(glnn__growing_text *to, const glnn_tensor *tensor, size_t begin)
{
    print_text(to, tensor->name);
    glnn__text_print(to, ":{\"dtype\":\"F32\",\"shape\":[");
    for (int d = 0; d < tensor->dimensions; ++d)
        glnn__text_print(to, d ? ",%zu" : "%zu", tensor->shape[d]);
    glnn__text_print(to, "],\"data_offsets\":[%zu,%zu]}", begin, begin + bytes_of(tensor));
}

static void print_header(glnn__growing_text *to, const writing *out)
{
    size_t begin = 0;
    glnn__text_print(to, "{");
    print_metadata(to, out);
    for (size_t i = 0; i < out->tensor_count; ++i) {
        if (i > 0 || out->metadata_count > 0)
            glnn__text_print(to, ",");
        print_tensor(to, &out->tensors[i], begin);
        begin += bytes_of(&out->tensors[i]);
    }
    glnn__text_print(to, "}");
}

/* Reads the header back, so that a wrong one never replaces a good file. */
static glnn_status check_header(const writing *out, const glnn__growing_text *text)
{
    glnn__header header = {0};
    char *copy = text->is_cut ? NULL : malloc(text->size + 1);
    if (!copy)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory to write the header", out->path);
    memcpy(copy, text->text, text->size);
    glnn_status status = glnn__header_read(out->path, copy, text->size, out->data_size, &header);
    if (status != GLNN_E_NOMEM && (status || header.array_count != out->tensor_count ||
                                   header.text_count != out->metadata_count))
        status = glnn__fail(GLNN_E_IO,
                            "%s: not written, because the header of %zu arrays and %zu texts does "
                            "not read back",
                            out->path, out->tensor_count, out->metadata_count);
    glnn__header_free(&header);
    free(copy);
    return status;
}

/* A copy, because the byte order may have to change. */
static void copy_arrays(const writing *out, unsigned char *to)
{
    for (size_t i = 0; i < out->tensor_count; ++i) {
        const size_t size = bytes_of(&out->tensors[i]);
        if (size > 0)
            memcpy(to, out->tensors[i].data, size);
        glnn__bytes_order(to, size / sizeof(float), sizeof(float), false);
        to += size;
    }
}

static glnn_status store(const writing *out, const glnn__growing_text *header)
{
    static const char blanks[ALIGNMENT] = "        ";
    const size_t header_size = (header->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (header_size > GLNN__HEADER_LIMIT)
        return glnn__fail(GLNN_E_LIMIT, "%s: the header has %zu bytes; at most %d are allowed",
                          out->path, header_size, GLNN__HEADER_LIMIT);
    unsigned char *arrays = malloc(out->data_size + 1);
    if (!arrays)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", out->path, out->data_size);
    copy_arrays(out, arrays);
    uint64_t promised = header_size;
    glnn__bytes_order(&promised, 1, sizeof promised, false);
    const glnn__span parts[] = {{&promised, sizeof promised},
                                {header->text, header->size},
                                {blanks, header_size - header->size},
                                {arrays, out->data_size}};
    const size_t count = sizeof parts / sizeof *parts;
    const glnn_status status = out->keeps_old ? glnn__file_replace_keeping(out->path, parts, count)
                                              : glnn__file_replace(out->path, parts, count);
    free(arrays);
    return status;
}

static glnn_status write_file(writing *out)
{
    glnn__growing_text header = {0};
    GLNN__TRY(check_content(out));
    print_header(&header, out);
    glnn_status status = check_header(out, &header);
    if (!status)
        status = store(out, &header);
    free(header.text);
    return status;
}

glnn_status glnn__safetensors_write(const char *path, const glnn_tensor *tensors, size_t count,
                                    const glnn_metadata *metadata, size_t metadata_count)
{
    return write_file(&(writing){.path = path,
                                 .tensors = tensors,
                                 .tensor_count = count,
                                 .metadata = metadata,
                                 .metadata_count = metadata_count});
}

glnn_status glnn__safetensors_write_keeping(const char *path, const glnn_tensor *tensors,
                                            size_t count, const glnn_metadata *metadata,
                                            size_t metadata_count)
{
    return write_file(&(writing){.path = path,
                                 .tensors = tensors,
                                 .tensor_count = count,
                                 .metadata = metadata,
                                 .metadata_count = metadata_count,
                                 .keeps_old = true});
}

glnn_status glnn_safetensors_write(const char *path, const glnn_tensor *tensors, int count,
                                   const glnn_metadata *metadata, int metadata_count)
{
    GLNN__NOT_NULL(path);
    if (count > 0)
        GLNN__NOT_NULL(tensors);
    if (metadata_count > 0)
        GLNN__NOT_NULL(metadata);
    if (count < 0 || metadata_count < 0)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_safetensors_write: `count` is %d and `metadata_count` is %d; "
                          "neither may be negative",
                          count, metadata_count);
    return glnn__fail_in(__func__, glnn__safetensors_write(path, tensors, (size_t)count, metadata,
                                                           (size_t)metadata_count));
}
