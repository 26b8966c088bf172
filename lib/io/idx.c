#include <glnn/idx.h>

#include "base/file.h"
#include "base/status.h"
#include "io/bytes.h"
#include "io/gzip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Zero for an unknown type. */
static size_t type_width(unsigned type)
{
    switch (type) {
    case GLNN_IDX_UINT8:
    case GLNN_IDX_INT8:
        return 1;
    case GLNN_IDX_INT16:
        return 2;
    case GLNN_IDX_INT32:
    case GLNN_IDX_FLOAT32:
        return 4;
    case GLNN_IDX_FLOAT64:
        return 8;
    default:
        return 0;
    }
}

typedef struct shape_text {
    char text[GLNN_IDX_MAX_DIMENSIONS * 24];
} shape_text;

static shape_text shape_of(const glnn_idx *idx)
{
    shape_text shape;
    size_t used = 0;
    for (int d = 0; d < idx->dimensions; ++d)
        used += (size_t)snprintf(shape.text + used, sizeof shape.text - used, "%s%zu",
                                 d ? " x " : "", idx->size[d]);
    return shape;
}

static size_t header_size(const glnn_idx *idx)
{
    return 4 + 4 * (size_t)idx->dimensions;
}

/* Multiplies the sizes; *file_size is what a plain file with them has. */
static glnn_status measure(const char *path, const glnn_idx *idx, size_t *elements,
                           size_t *file_size)
{
    size_t width = type_width(idx->type);
    size_t limit = (size_t)PTRDIFF_MAX / width - header_size(idx);
    *elements = 1;
    for (int d = 0; d < idx->dimensions; ++d) {
        if (idx->size[d] > limit / *elements)
            return glnn__fail(GLNN_E_LIMIT,
                              "%s: %s elements of %zu bytes are more than memory can address", path,
                              shape_of(idx).text, width);
        *elements *= idx->size[d];
    }
    *file_size = header_size(idx) + *elements * width;
    return GLNN_OK;
}

static glnn_status check_magic(const glnn__content *content)
{
    const unsigned char *magic = content->bytes;
    if (content->size < 4)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for an IDX file", content->path,
                          content->size);
    if (magic[0] != 0 || magic[1] != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: starts with the bytes %02x %02x, but an IDX file with 00 00",
                          content->path, magic[0], magic[1]);
    if (!type_width(magic[2]))
        return glnn__fail(GLNN_E_FORMAT, "%s: the type code 0x%02x is none of IDX", content->path,
                          magic[2]);
    if (magic[3] < 1 || magic[3] > GLNN_IDX_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_FORMAT, "%s: has %d dimensions, but 1 to %d can be read",
                          content->path, magic[3], GLNN_IDX_MAX_DIMENSIONS);
    return GLNN_OK;
}

static glnn_status read_sizes(const glnn__content *content, glnn_idx *idx)
{
    if (content->size < header_size(idx))
        return glnn__fail(GLNN_E_FORMAT, "%s: ends inside the sizes of its %d dimensions",
                          content->path, idx->dimensions);
    for (int d = 0; d < GLNN_IDX_MAX_DIMENSIONS; ++d) {
        uint32_t size = 1;
        if (d < idx->dimensions) {
            memcpy(&size, content->bytes + 4 + 4 * d, 4);
            glnn__bytes_big_endian(&size, 1, 4);
        }
        if (size == 0)
            return glnn__fail(GLNN_E_FORMAT, "%s: dimension %d has size zero", content->path, d);
        idx->size[d] = size;
    }
    return GLNN_OK;
}

static glnn_status read_header(glnn__content *content, glnn_idx *idx)
{
    GLNN__TRY(glnn__content_need(content, 4));
    GLNN__TRY(check_magic(content));
    idx->type = (glnn_idx_type)content->bytes[2];
    idx->dimensions = content->bytes[3];
    GLNN__TRY(glnn__content_need(content, header_size(idx)));
    return read_sizes(content, idx);
}

static glnn_status read_content(glnn__content *content, glnn_idx *idx)
{
    size_t promised;
    GLNN__TRY(read_header(content, idx));
    GLNN__TRY(measure(content->path, idx, &idx->elements, &promised));
    /* A size that the file cannot hold is told before any memory is asked for. */
    bool fits = promised <= glnn__content_most(content);
    if (fits)
        GLNN__TRY(glnn__content_need(content, promised + 1));
    if (!fits || content->size < promised)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the sizes %s promise %zu bytes, but there are no more than %zu",
                          content->path, shape_of(idx).text, promised,
                          fits ? content->size : glnn__content_most(content));
    if (content->size > promised)
        return glnn__fail(GLNN_E_FORMAT, "%s: the sizes %s promise %zu bytes, but there are more",
                          content->path, shape_of(idx).text, promised);
    return GLNN_OK;
}

glnn_status glnn_idx_read(const char *path, glnn_idx *out)
{
    if (!path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_read: %s is null", path ? "out" : "path");
    *out = (glnn_idx){0};
    glnn_idx idx = {0};
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    glnn_status status = read_content(&content, &idx);
    if (!status) {
        /* Behind the header the elements may not be aligned, so they move to the front. */
        size_t width = type_width(idx.type);
        memmove(content.bytes, content.bytes + header_size(&idx), idx.elements * width);
        glnn__bytes_big_endian(content.bytes, idx.elements, width);
        idx.data = content.bytes;
        content.bytes = NULL;
        *out = idx;
    }
    glnn__content_close(&content);
    return status;
}

static glnn_status check_write(const char *path, const glnn_idx *idx)
{
    if (!path || !idx || !idx->data)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_write: %s is null",
                          !path  ? "path"
                          : !idx ? "idx"
                                 : "idx->data");
    if (!type_width(idx->type))
        return glnn__fail(GLNN_E_ARG, "glnn_idx_write: the type 0x%02x is none of IDX",
                          (unsigned)idx->type);
    if (idx->dimensions < 1 || idx->dimensions > GLNN_IDX_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_write: %d dimensions, but 1 to %d can be written",
                          idx->dimensions, GLNN_IDX_MAX_DIMENSIONS);
    for (int d = 0; d < idx->dimensions; ++d) {
        if (idx->size[d] < 1)
            return glnn__fail(GLNN_E_ARG, "glnn_idx_write: dimension %d has size zero", d);
        if (idx->size[d] > UINT32_MAX)
            return glnn__fail(GLNN_E_LIMIT,
                              "glnn_idx_write: dimension %d has size %zu, which 32 bits do not "
                              "hold",
                              d, idx->size[d]);
    }
    return GLNN_OK;
}

static void fill_file(const glnn_idx *idx, size_t elements, unsigned char *bytes)
{
    size_t width = type_width(idx->type);
    bytes[0] = bytes[1] = 0;
    bytes[2] = (unsigned char)idx->type;
    bytes[3] = (unsigned char)idx->dimensions;
    for (int d = 0; d < idx->dimensions; ++d) {
        uint32_t size = (uint32_t)idx->size[d];
        memcpy(bytes + 4 + 4 * d, &size, 4);
    }
    glnn__bytes_big_endian(bytes + 4, (size_t)idx->dimensions, 4);
    memcpy(bytes + header_size(idx), idx->data, elements * width);
    glnn__bytes_big_endian(bytes + header_size(idx), elements, width);
}

static glnn_status store(const char *path, unsigned char *bytes, size_t size)
{
    size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".gz") != 0)
        return glnn__file_replace(path, &(glnn__span){bytes, size}, 1);
    unsigned char *packed;
    size_t packed_size;
    GLNN__TRY(glnn__gzip_pack(path, bytes, size, &packed, &packed_size));
    glnn_status status = glnn__file_replace(path, &(glnn__span){packed, packed_size}, 1);
    free(packed);
    return status;
}

glnn_status glnn_idx_write(const char *path, const glnn_idx *idx)
{
    GLNN__TRY(check_write(path, idx));
    size_t elements, size;
    GLNN__TRY(measure(path, idx, &elements, &size));
    if (idx->elements != 0 && idx->elements != elements)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_write: %zu elements, but the sizes are %s",
                          idx->elements, shape_of(idx).text);
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    fill_file(idx, elements, bytes);
    glnn_status status = store(path, bytes, size);
    free(bytes);
    return status;
}

void glnn_idx_free(glnn_idx *idx)
{
    if (!idx)
        return;
    free(idx->data);
    *idx = (glnn_idx){0};
}

/* Every type of IDX fits a double exactly. */
static double element(const glnn_idx *idx, size_t i)
{
    switch (idx->type) {
    case GLNN_IDX_UINT8:
        return ((const uint8_t *)idx->data)[i];
    case GLNN_IDX_INT8:
        return ((const int8_t *)idx->data)[i];
    case GLNN_IDX_INT16:
        return ((const int16_t *)idx->data)[i];
    case GLNN_IDX_INT32:
        return ((const int32_t *)idx->data)[i];
    case GLNN_IDX_FLOAT32:
        return (double)((const float *)idx->data)[i];
    case GLNN_IDX_FLOAT64:
        return ((const double *)idx->data)[i];
    }
    return 0;
}

glnn_status glnn_idx_floats(const glnn_idx *idx, float scale, float *out)
{
    if (!idx || !idx->data || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_floats: %s is null or empty", out ? "idx" : "out");
    for (size_t i = 0; i < idx->elements; ++i)
        out[i] = (float)((double)scale * element(idx, i));
    return GLNN_OK;
}

glnn_status glnn_idx_labels(const glnn_idx *idx, int classes, int *out)
{
    if (!idx || !idx->data || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_labels: %s is null or empty", out ? "idx" : "out");
    if (classes < 1)
        return glnn__fail(GLNN_E_ARG, "glnn_idx_labels: %d classes, but there must be at least 1",
                          classes);
    if (idx->dimensions != 1)
        return glnn__fail(GLNN_E_FORMAT,
                          "labels have 1 dimension, but this file has %d, of the sizes %s",
                          idx->dimensions, shape_of(idx).text);
    if (idx->type == GLNN_IDX_FLOAT32 || idx->type == GLNN_IDX_FLOAT64)
        return glnn__fail(GLNN_E_FORMAT, "labels are integers, but this file holds float%d",
                          idx->type == GLNN_IDX_FLOAT32 ? 32 : 64);
    for (size_t i = 0; i < idx->elements; ++i) {
        double label = element(idx, i);
        if (label < 0 || label >= classes)
            return glnn__fail(GLNN_E_FORMAT, "label %zu is %.0f, but must lie in 0 .. %d", i, label,
                              classes - 1);
        out[i] = (int)label;
    }
    return GLNN_OK;
}
