#include <glnn/npy.h>

#include "base/file.h"
#include "base/sized.h"
#include "base/status.h"
#include "io/bytes.h"
#include "io/content.h"
#include "io/npy_header.h"
#include "io/sizes.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Copies elements in Fortran order, whose first index runs fastest, to C order. */
static void reorder(const glnn_npy *npy, const unsigned char *from, unsigned char *to)
{
    size_t width = glnn__npy_width(npy->type), elements = npy->rows * npy->columns;
    size_t index[GLNN_NPY_MAX_DIMENSIONS] = {0}, stride[GLNN_NPY_MAX_DIMENSIONS] = {width};
    for (int d = 1; d < npy->dimensions; ++d)
        stride[d] = stride[d - 1] * npy->shape[d - 1];
    size_t place = 0;
    for (size_t i = 0; i < elements; ++i, to += width) {
        memcpy(to, from + place, width);
        for (int d = npy->dimensions - 1; d >= 0; --d) {
            place += stride[d];
            if (++index[d] < npy->shape[d])
                break;
            place -= stride[d] * npy->shape[d];
            index[d] = 0;
        }
    }
}

static glnn_status make_row_major(const char *path, glnn_npy *npy)
{
    const size_t size = npy->rows * npy->columns * glnn__npy_width(npy->type);
    unsigned char *ordered = malloc(size);
    if (!ordered)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    reorder(npy, npy->data, ordered);
    free(npy->data);
    npy->data = ordered;
    return GLNN_OK;
}

static glnn_status read_elements(glnn__content *content, const glnn__npy_header *header,
                                 glnn_npy *npy)
{
    const size_t width = glnn__npy_width(npy->type);
    size_t elements, bytes;
    GLNN__TRY(glnn__sizes_multiply(content->path, npy->dimensions, npy->shape, width, 0, &elements,
                                   &bytes));
    npy->rows = npy->shape[0];
    npy->columns = elements / npy->shape[0];
    GLNN__TRY(glnn__content_read_rest(
        content, glnn__sizes_text_of(npy->dimensions, npy->shape).text, bytes, &npy->data));
    glnn__bytes_order(npy->data, elements, width, header->big_endian);
    if (header->fortran_order && npy->dimensions > 1)
        return make_row_major(content->path, npy);
    return GLNN_OK;
}

static glnn_status read_content(glnn__content *content, glnn_npy *npy)
{
    glnn__npy_header header;
    GLNN__TRY(glnn__npy_header_read(content, &header));
    npy->type = header.type;
    npy->dimensions = header.dimensions;
    for (int d = 0; d < GLNN_NPY_MAX_DIMENSIONS; ++d)
        npy->shape[d] = d < header.dimensions ? header.shape[d] : 1;
    return read_elements(content, &header, npy);
}

static glnn_status read_file(const char *path, glnn_npy *out)
{
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    const glnn_status status = read_content(&content, out);
    glnn__content_close(&content);
    return status;
}

glnn_status glnn_npy_read(const char *path, glnn_npy *out)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_npy, data, out));
    glnn_npy npy = {.size = sizeof npy};
    glnn__sized_fill(out, &npy, sizeof npy);
    const glnn_status status = read_file(path, &npy);
    if (status)
        glnn_npy_free(&npy);
    else
        glnn__sized_fill(out, &npy, sizeof npy);
    return glnn__fail_in(__func__, status);
}

void glnn_npy_free(glnn_npy *npy)
{
    if (!npy)
        return;
    free(npy->data);
    glnn__sized_fill(npy, &(glnn_npy){0}, sizeof *npy);
}

/* The number of elements that are converted at a time. */
enum { PIECE = 512 };

#define TAKE(type)                                                                                 \
    for (size_t i = 0; i < count; ++i)                                                             \
        out[i] = (double)((const type *)npy->data)[first + i];                                     \
    break

/* Converts elements from `first` on and returns their number, which is 0 after the last one. */
static size_t take(const glnn_npy *npy, size_t first, double out[PIECE])
{
    const size_t left = npy->rows * npy->columns - first, count = left < PIECE ? left : PIECE;
    switch (npy->type) {
    case GLNN_NPY_BOOL:
        for (size_t i = 0; i < count; ++i)
            out[i] = ((const uint8_t *)npy->data)[first + i] != 0;
        break;
    case GLNN_NPY_INT8:
        TAKE(int8_t);
    case GLNN_NPY_INT16:
        TAKE(int16_t);
    case GLNN_NPY_INT32:
        TAKE(int32_t);
    case GLNN_NPY_INT64:
        TAKE(int64_t);
    case GLNN_NPY_UINT8:
        TAKE(uint8_t);
    case GLNN_NPY_UINT16:
        TAKE(uint16_t);
    case GLNN_NPY_UINT32:
        TAKE(uint32_t);
    case GLNN_NPY_UINT64:
        TAKE(uint64_t);
    case GLNN_NPY_FLOAT32:
        TAKE(float);
    case GLNN_NPY_FLOAT64:
        TAKE(double);
    case GLNN_NPY_TYPE_COUNT:
        break;
    }
    return count;
}

static glnn_status check_type(const char *function, const glnn_npy *npy)
{
    if (glnn__npy_width(npy->type))
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG, "%s: npy->type is %d; it must be below %d", function,
                      (int)npy->type, (int)GLNN_NPY_TYPE_COUNT);
}

glnn_status glnn__npy_to_floats(const char *function, const glnn_npy *npy, float scale, float *out)
{
    double exact[PIECE];
    for (size_t first = 0, count; (count = take(npy, first, exact)) > 0; first += count) {
        bool is_finite = true;
        for (size_t i = 0; i < count; ++i) {
            out[first + i] = (float)((double)scale * exact[i]);
            is_finite &= fabsf(out[first + i]) <= FLT_MAX;
        }
        for (size_t i = 0; !is_finite && i < count; ++i)
            if (isinf(out[first + i]) && isfinite(exact[i]))
                return glnn__fail(GLNN_E_LIMIT,
                                  "%s: row %zu, column %zu is %g; times %g it is too large for a "
                                  "float",
                                  function, (first + i) / npy->columns, (first + i) % npy->columns,
                                  exact[i], (double)scale);
    }
    return GLNN_OK;
}

glnn_status glnn_npy_get_floats(const glnn_npy *npy, float scale, float *out)
{
    GLNN__NOT_NULL(npy);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_npy, data, npy));
    GLNN__NOT_NULL(npy->data);
    GLNN__NOT_NULL(out);
    GLNN__TRY(check_type(__func__, npy));
    return glnn__npy_to_floats(__func__, npy, scale, out);
}

glnn_status glnn__npy_to_labels(const char *function, const glnn_npy *npy, int classes, int *out)
{
    if (classes < 1)
        return glnn__fail(GLNN_E_ARG, "%s: `classes` is %d; it must be at least 1", function,
                          classes);
    double labels[PIECE];
    for (size_t first = 0, count; (count = take(npy, first, labels)) > 0; first += count)
        for (size_t i = 0; i < count; ++i) {
            /* This form also refuses NaN. */
            if (!(labels[i] >= 0 && labels[i] < classes && labels[i] == floor(labels[i])))
                return glnn__fail(GLNN_E_FORMAT,
                                  "%s: the label in row %zu is %.17g; it must be an integer in "
                                  "0 .. %d",
                                  function, first + i, labels[i], classes - 1);
            out[first + i] = (int)labels[i];
        }
    return GLNN_OK;
}

glnn_status glnn_npy_get_labels(const glnn_npy *npy, int classes, int *out)
{
    GLNN__NOT_NULL(npy);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_npy, data, npy));
    GLNN__NOT_NULL(npy->data);
    GLNN__NOT_NULL(out);
    GLNN__TRY(check_type(__func__, npy));
    if (npy->columns != 1)
        return glnn__fail(GLNN_E_FORMAT, "%s: labels have one column, but this array is %s",
                          __func__, glnn__sizes_text_of(npy->dimensions, npy->shape).text);
    return glnn__npy_to_labels(__func__, npy, classes, out);
}

static glnn_status check_write(int64_t rows, int columns, int ld)
{
    if (rows < 1 || columns < 1)
        return glnn__fail(GLNN_E_ARG, "%" PRId64 " rows of %d columns; both must be at least 1",
                          rows, columns);
    if (ld != 0 && ld < columns)
        return glnn__fail(GLNN_E_ARG, "`ld` is %d; it must be 0 or at least the %d columns", ld,
                          columns);
    if ((uint64_t)rows > ((size_t)PTRDIFF_MAX / sizeof(float) - GLNN__NPY_HEADER_CAPACITY) /
                             (size_t)(ld ? ld : columns))
        return glnn__fail(GLNN_E_LIMIT, "%" PRId64 " x %d floats are more than memory can address",
                          rows, columns);
    return GLNN_OK;
}

static glnn_status write_file(const char *path, int64_t rows, int columns, const float *data,
                              int ld)
{
    GLNN__TRY(check_write(rows, columns, ld));
    size_t width = (size_t)columns, step = ld ? (size_t)ld : width;
    size_t size = (size_t)rows * width * sizeof *data;
    /* A copy, because the byte order may have to change. */
    float *elements = malloc(size);
    if (!elements)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    for (size_t i = 0; i < (size_t)rows; ++i)
        memcpy(elements + i * width, data + i * step, width * sizeof *data);
    glnn__bytes_order(elements, (size_t)rows * width, sizeof *data, false);
    unsigned char header[GLNN__NPY_HEADER_CAPACITY];
    size_t length = glnn__npy_header_write(rows, columns, header);
    glnn_status status =
        glnn__file_replace(path, (const glnn__span[]){{header, length}, {elements, size}}, 2);
    free(elements);
    return status;
}

glnn_status glnn_npy_write(const char *path, int64_t rows, int columns, const float *data, int ld)
{
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(data);
    return glnn__fail_in(__func__, write_file(path, rows, columns, data, ld));
}
