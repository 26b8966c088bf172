#include <glnn/idx.h>

#include "base/file.h"
#include "base/names.h"
#include "base/sized.h"
#include "io/bytes.h"
#include "io/content.h"
#include "io/npy_header.h"
#include "io/sizes.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
    [GLNN_IDX_UINT8] = "uint8", [GLNN_IDX_INT8] = "int8",       [GLNN_IDX_INT16] = "int16",
    [GLNN_IDX_INT32] = "int32", [GLNN_IDX_FLOAT32] = "float32", [GLNN_IDX_FLOAT64] = "float64",
};

GLNN__DEFINE_NAMES(glnn_idx_type, type_names)

/* The same type in .npy, or BOOL, which IDX does not have, if the type is unknown. */
static glnn_npy_type npy_type(unsigned type)
{
    static const unsigned char types[] = {
        [GLNN_IDX_UINT8] = GLNN_NPY_UINT8,     [GLNN_IDX_INT8] = GLNN_NPY_INT8,
        [GLNN_IDX_INT16] = GLNN_NPY_INT16,     [GLNN_IDX_INT32] = GLNN_NPY_INT32,
        [GLNN_IDX_FLOAT32] = GLNN_NPY_FLOAT32, [GLNN_IDX_FLOAT64] = GLNN_NPY_FLOAT64,
    };
    return type < sizeof types ? (glnn_npy_type)types[type] : GLNN_NPY_BOOL;
}

static bool is_type(unsigned type)
{
    return npy_type(type) != GLNN_NPY_BOOL;
}

static size_t type_width(unsigned type)
{
    return glnn__npy_width(npy_type(type));
}

static size_t header_size(const glnn_idx *idx)
{
    return 4 + 4 * (size_t)idx->dimensions;
}

static glnn_status check_magic(const char *path, const unsigned char *magic, size_t size)
{
    if (size < 4)
        return glnn__fail(GLNN_E_FORMAT, "%s: %zu bytes are too few for an IDX file", path, size);
    if (magic[0] != 0 || magic[1] != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: begins with the bytes %02x %02x; an IDX file begins with 00 00",
                          path, magic[0], magic[1]);
    if (!is_type(magic[2]))
        return glnn__fail(GLNN_E_FORMAT, "%s: the type code is 0x%02x, which is not a type of IDX",
                          path, magic[2]);
    if (magic[3] < 1 || magic[3] > GLNN_IDX_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_FORMAT, "%s: has %d dimensions; 1 to %d can be read", path,
                          magic[3], GLNN_IDX_MAX_DIMENSIONS);
    return GLNN_OK;
}

static glnn_status read_header(glnn__content *content, glnn_idx *idx)
{
    unsigned char magic[4];
    uint32_t sizes[GLNN_IDX_MAX_DIMENSIONS];
    size_t got;
    GLNN__TRY(glnn__content_read(content, magic, sizeof magic, &got));
    GLNN__TRY(check_magic(content->path, magic, got));
    idx->type = (glnn_idx_type)magic[2];
    idx->dimensions = magic[3];
    GLNN__TRY(glnn__content_read(content, sizes, 4 * (size_t)idx->dimensions, &got));
    if (got < 4 * (size_t)idx->dimensions)
        return glnn__fail(GLNN_E_FORMAT, "%s: ends within the sizes of its %d dimensions",
                          content->path, idx->dimensions);
    glnn__bytes_order(sizes, (size_t)idx->dimensions, 4, true);
    for (int d = 0; d < GLNN_IDX_MAX_DIMENSIONS; ++d) {
        idx->shape[d] = d < idx->dimensions ? sizes[d] : 1;
        if (idx->shape[d] == 0)
            return glnn__fail(GLNN_E_FORMAT, "%s: the size of dimension %d is 0", content->path, d);
    }
    return GLNN_OK;
}

static glnn_status read_content(glnn__content *content, glnn_idx *idx)
{
    const char *path = content->path;
    size_t bytes;
    GLNN__TRY(read_header(content, idx));
    const size_t width = type_width(idx->type);
    GLNN__TRY(
        glnn__sizes_multiply(path, idx->dimensions, idx->shape, width, 0, &idx->elements, &bytes));
    GLNN__TRY(glnn__content_read_rest(
        content, glnn__sizes_text_of(idx->dimensions, idx->shape).text, bytes, &idx->data));
    glnn__bytes_order(idx->data, idx->elements, width, true);
    return GLNN_OK;
}

static glnn_status read_file(const char *path, glnn_idx *out)
{
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    const glnn_status status = read_content(&content, out);
    glnn__content_close(&content);
    return status;
}

glnn_status glnn_idx_read(const char *path, glnn_idx *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_idx, data, out));
    glnn_idx idx = {.size = sizeof idx};
    glnn__sized_fill(out, &idx, sizeof idx);
    const glnn_status status = read_file(path, &idx);
    if (!status)
        glnn__sized_fill(out, &idx, sizeof idx);
    return glnn__fail_in(__func__, status);
}

static glnn_status check_type(const glnn_idx *idx)
{
    if (!is_type(idx->type))
        return glnn__fail(GLNN_E_ARG, "idx->type is 0x%02x, which is not a type of IDX",
                          (unsigned)idx->type);
    return GLNN_OK;
}

static glnn_status check_write(const glnn_idx *idx)
{
    GLNN__TRY(check_type(idx));
    if (idx->dimensions < 1 || idx->dimensions > GLNN_IDX_MAX_DIMENSIONS)
        return glnn__fail(GLNN_E_ARG, "idx->dimensions is %d; it must be in 1 .. %d",
                          idx->dimensions, GLNN_IDX_MAX_DIMENSIONS);
    for (int d = 0; d < idx->dimensions; ++d) {
        if (idx->shape[d] < 1)
            return glnn__fail(GLNN_E_ARG, "idx->shape[%d] is 0", d);
        if (idx->shape[d] > UINT32_MAX)
            return glnn__fail(GLNN_E_LIMIT,
                              "idx->shape[%d] is %zu, which does not fit in 32 "
                              "bits",
                              d, idx->shape[d]);
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
        uint32_t size = (uint32_t)idx->shape[d];
        memcpy(bytes + 4 + 4 * d, &size, 4);
    }
    glnn__bytes_order(bytes + 4, (size_t)idx->dimensions, 4, true);
    memcpy(bytes + header_size(idx), idx->data, elements * width);
    glnn__bytes_order(bytes + header_size(idx), elements, width, true);
}

static glnn_status store(const char *path, unsigned char *bytes, size_t size)
{
    size_t length = strlen(path);
    if (length < 3 || strcmp(path + length - 3, ".gz") != 0)
        return glnn__file_replace(path, &(glnn__span){bytes, size}, 1);
    unsigned char *packed;
    size_t packed_size;
    GLNN__TRY(glnn__content_pack(path, bytes, size, &packed, &packed_size));
    glnn_status status = glnn__file_replace(path, &(glnn__span){packed, packed_size}, 1);
    free(packed);
    return status;
}

static glnn_status write_file(const char *path, const glnn_idx *idx)
{
    GLNN__TRY(check_write(idx));
    size_t elements, size;
    GLNN__TRY(glnn__sizes_multiply(path, idx->dimensions, idx->shape, type_width(idx->type),
                                   header_size(idx), &elements, &size));
    if (idx->elements != 0 && idx->elements != elements)
        return glnn__fail(GLNN_E_ARG, "idx->elements is %zu, but the sizes are %s", idx->elements,
                          glnn__sizes_text_of(idx->dimensions, idx->shape).text);
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    fill_file(idx, elements, bytes);
    glnn_status status = store(path, bytes, size);
    free(bytes);
    return status;
}

glnn_status glnn_idx_write(const char *path, const glnn_idx *idx)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(idx);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_idx, data, idx));
    GLNN__NOT_NULL(idx->data);
    return glnn__fail_in(__func__, write_file(path, idx));
}

void glnn_idx_free(glnn_idx *idx)
{
    if (!idx)
        return;
    free(idx->data);
    glnn__sized_fill(idx, &(glnn_idx){0}, sizeof *idx);
}

/* The elements as one column. */
static glnn_npy column_of(const glnn_idx *idx)
{
    return (glnn_npy){.size = sizeof(glnn_npy),
                      .type = npy_type(idx->type),
                      .dimensions = 1,
                      .shape = {idx->elements},
                      .rows = idx->elements,
                      .columns = 1,
                      .data = idx->data};
}

glnn_status glnn_idx_get_floats(const glnn_idx *idx, float scale, float *out)
{
    GLNN__NOT_NULL(idx);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_idx, data, idx));
    GLNN__NOT_NULL(idx->data);
    GLNN__NOT_NULL(out);
    GLNN__TRY(glnn__fail_in(__func__, check_type(idx)));
    const glnn_npy column = column_of(idx);
    return glnn__npy_to_floats(__func__, &column, scale, out);
}

glnn_status glnn_idx_get_labels(const glnn_idx *idx, int classes, int *out)
{
    GLNN__NOT_NULL(idx);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_idx, data, idx));
    GLNN__NOT_NULL(idx->data);
    GLNN__NOT_NULL(out);
    GLNN__TRY(glnn__fail_in(__func__, check_type(idx)));
    if (idx->dimensions != 1)
        return glnn__fail(GLNN_E_FORMAT, "%s: labels have 1 dimension, but this array is %s",
                          __func__, glnn__sizes_text_of(idx->dimensions, idx->shape).text);
    if (idx->type == GLNN_IDX_FLOAT32 || idx->type == GLNN_IDX_FLOAT64)
        return glnn__fail(GLNN_E_FORMAT, "%s: labels are integers, but this array is of type %s",
                          __func__, glnn_idx_type_name(idx->type));
    const glnn_npy column = column_of(idx);
    return glnn__npy_to_labels(__func__, &column, classes, out);
}
