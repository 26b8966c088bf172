#include <glnn/npy.h>

#include "base/file.h"
#include "base/status.h"
#include "io/bytes.h"
#include "io/npy_header.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape_text {
    char text[GLNN_NPY_MAX_DIMENSIONS * 24];
} shape_text;

static shape_text shape_of(const glnn_npy *npy)
{
    shape_text shape;
    size_t used = 0;
    for (int d = 0; d < npy->dimensions; ++d)
        used += (size_t)snprintf(shape.text + used, sizeof shape.text - used, "%s%zu",
                                 d ? " x " : "", npy->size[d]);
    return shape;
}

/* Multiplies the sizes; *promised is the size of a file with them. */
static glnn_status measure(const char *path, glnn_npy *npy, size_t header, size_t *promised)
{
    size_t width = glnn__npy_width(npy->type), limit = ((size_t)PTRDIFF_MAX - header) / width;
    size_t elements = 1;
    npy->rows = npy->size[0];
    npy->columns = 1;
    for (int d = 0; d < npy->dimensions; ++d) {
        if (npy->size[d] > limit / elements)
            return glnn__fail(GLNN_E_LIMIT,
                              "%s: %s elements of %zu bytes are more than memory can address", path,
                              shape_of(npy).text, width);
        elements *= npy->size[d];
        npy->columns *= d ? npy->size[d] : 1;
    }
    *promised = header + elements * width;
    return GLNN_OK;
}

/* Brings elements whose first index runs fastest into row-major order. */
static void reorder(const glnn_npy *npy, const unsigned char *from, unsigned char *to)
{
    size_t width = glnn__npy_width(npy->type), elements = npy->rows * npy->columns;
    size_t index[GLNN_NPY_MAX_DIMENSIONS] = {0}, stride[GLNN_NPY_MAX_DIMENSIONS] = {width};
    for (int d = 1; d < npy->dimensions; ++d)
        stride[d] = stride[d - 1] * npy->size[d - 1];
    size_t place = 0;
    for (size_t i = 0; i < elements; ++i, to += width) {
        memcpy(to, from + place, width);
        for (int d = npy->dimensions - 1; d >= 0; --d) {
            place += stride[d];
            if (++index[d] < npy->size[d])
                break;
            place -= stride[d] * npy->size[d];
            index[d] = 0;
        }
    }
}

static glnn_status make_row_major(const char *path, const glnn_npy *npy, unsigned char **bytes)
{
    size_t size = npy->rows * npy->columns * glnn__npy_width(npy->type);
    unsigned char *ordered = malloc(size);
    if (!ordered)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    reorder(npy, *bytes, ordered);
    free(*bytes);
    *bytes = ordered;
    return GLNN_OK;
}

static glnn_status read_content(const char *path, unsigned char **bytes, size_t size, glnn_npy *npy)
{
    glnn__npy_header header;
    size_t promised = 0;
    GLNN__TRY(glnn__npy_header_read(path, *bytes, size, &header));
    *npy = (glnn_npy){.type = header.type, .dimensions = header.dimensions};
    for (int d = 0; d < GLNN_NPY_MAX_DIMENSIONS; ++d)
        npy->size[d] = d < header.dimensions ? header.size[d] : 1;
    GLNN__TRY(measure(path, npy, header.length, &promised));
    if (size != promised)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the sizes %s promise %zu bytes after a header of %zu, but there "
                          "are %zu",
                          path, shape_of(npy).text, promised - header.length, header.length,
                          size - header.length);
    /* Behind the header the elements may not be aligned, so they move to the front. */
    size_t width = glnn__npy_width(npy->type), elements = npy->rows * npy->columns;
    memmove(*bytes, *bytes + header.length, elements * width);
    if (header.big_endian)
        glnn__bytes_big_endian(*bytes, elements, width);
    else
        glnn__bytes_little_endian(*bytes, elements, width);
    if (header.fortran_order && npy->dimensions > 1)
        GLNN__TRY(make_row_major(path, npy, bytes));
    return GLNN_OK;
}

glnn_status glnn_npy_read(const char *path, glnn_npy *out)
{
    if (!path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_npy_read: %s is null", path ? "out" : "path");
    *out = (glnn_npy){0};
    unsigned char *bytes;
    size_t size;
    glnn_npy npy;
    GLNN__TRY(glnn__file_read(path, &bytes, &size));
    glnn_status status = read_content(path, &bytes, size, &npy);
    if (status) {
        free(bytes);
    } else {
        npy.data = bytes;
        *out = npy;
    }
    return status;
}

void glnn_npy_free(glnn_npy *npy)
{
    if (!npy)
        return;
    free(npy->data);
    *npy = (glnn_npy){0};
}

static double element(const glnn_npy *npy, size_t i)
{
    switch (npy->type) {
    case GLNN_NPY_BOOL:
        return ((const uint8_t *)npy->data)[i] != 0;
    case GLNN_NPY_INT8:
        return ((const int8_t *)npy->data)[i];
    case GLNN_NPY_INT16:
        return ((const int16_t *)npy->data)[i];
    case GLNN_NPY_INT32:
        return ((const int32_t *)npy->data)[i];
    case GLNN_NPY_INT64:
        return (double)((const int64_t *)npy->data)[i];
    case GLNN_NPY_UINT8:
        return ((const uint8_t *)npy->data)[i];
    case GLNN_NPY_UINT16:
        return ((const uint16_t *)npy->data)[i];
    case GLNN_NPY_UINT32:
        return ((const uint32_t *)npy->data)[i];
    case GLNN_NPY_UINT64:
        return (double)((const uint64_t *)npy->data)[i];
    case GLNN_NPY_FLOAT32:
        return (double)((const float *)npy->data)[i];
    case GLNN_NPY_FLOAT64:
        return ((const double *)npy->data)[i];
    case GLNN_NPY_TYPE_COUNT:
        break;
    }
    return 0;
}

static glnn_status check_conversion(const char *what, const glnn_npy *npy, const void *out)
{
    if (!npy || !npy->data || !out)
        return glnn__fail(GLNN_E_ARG, "%s: %s is null or empty", what, out ? "npy" : "out");
    if (!glnn__npy_width(npy->type))
        return glnn__fail(GLNN_E_ARG, "%s: there is no type %d", what, (int)npy->type);
    return GLNN_OK;
}

glnn_status glnn_npy_floats(const glnn_npy *npy, float scale, float *out)
{
    GLNN__TRY(check_conversion("glnn_npy_floats", npy, out));
    for (size_t i = 0; i < npy->rows * npy->columns; ++i) {
        double exact = element(npy, i);
        out[i] = (float)((double)scale * exact);
        if (isinf(out[i]) && isfinite(exact))
            return glnn__fail(GLNN_E_LIMIT,
                              "row %zu, column %zu is %g, which times %g is too large for a float",
                              i / npy->columns, i % npy->columns, exact, (double)scale);
    }
    return GLNN_OK;
}

glnn_status glnn_npy_labels(const glnn_npy *npy, int classes, int *out)
{
    GLNN__TRY(check_conversion("glnn_npy_labels", npy, out));
    if (classes < 1)
        return glnn__fail(GLNN_E_ARG, "glnn_npy_labels: %d classes, but there must be at least 1",
                          classes);
    if (npy->columns != 1)
        return glnn__fail(GLNN_E_FORMAT, "labels have one column, but this array is %s",
                          shape_of(npy).text);
    for (size_t i = 0; i < npy->rows; ++i) {
        double label = element(npy, i);
        /* So that not-a-number fails as well. */
        if (!(label >= 0 && label < classes && label == floor(label)))
            return glnn__fail(GLNN_E_FORMAT,
                              "the label in row %zu is %.17g, but must be an integer in 0 .. %d", i,
                              label, classes - 1);
        out[i] = (int)label;
    }
    return GLNN_OK;
}

static glnn_status check_write(const char *path, int rows, int columns, const float *data, int ld)
{
    if (!path || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_npy_write: %s is null", path ? "data" : "path");
    if (rows < 1 || columns < 1)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_npy_write: %d rows of %d columns, but both must be at least 1",
                          rows, columns);
    if (ld != 0 && ld < columns)
        return glnn__fail(GLNN_E_ARG, "glnn_npy_write: a leading dimension of %d for %d columns",
                          ld, columns);
    if ((size_t)columns >
        ((size_t)PTRDIFF_MAX / sizeof *data - GLNN__NPY_HEADER_CAPACITY) / (size_t)rows)
        return glnn__fail(GLNN_E_LIMIT, "%s: %d x %d floats are more than memory can address", path,
                          rows, columns);
    return GLNN_OK;
}

glnn_status glnn_npy_write(const char *path, int rows, int columns, const float *data, int ld)
{
    GLNN__TRY(check_write(path, rows, columns, data, ld));
    size_t width = (size_t)columns, step = ld ? (size_t)ld : width;
    size_t size = (size_t)rows * width * sizeof *data;
    /* The elements are copied, since their bytes may have to change order. */
    float *elements = malloc(size);
    if (!elements)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu bytes", path, size);
    for (size_t i = 0; i < (size_t)rows; ++i)
        memcpy(elements + i * width, data + i * step, width * sizeof *data);
    glnn__bytes_little_endian(elements, (size_t)rows * width, sizeof *data);
    unsigned char header[GLNN__NPY_HEADER_CAPACITY];
    size_t length = glnn__npy_header_write(rows, columns, header);
    glnn_status status =
        glnn__file_replace(path, (const glnn__span[]){{header, length}, {elements, size}}, 2);
    free(elements);
    return status;
}
