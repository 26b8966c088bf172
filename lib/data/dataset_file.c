/* Data sets whose samples lie in a file. */
#include "base/mapping.h"
#include "base/status.h"
#include "data/dataset.h"
#include "io/npy_header.h"

#include <stdlib.h>
#include <string.h>

static bool is_big_endian(void)
{
    const unsigned short one = 1;
    return *(const unsigned char *)&one == 0;
}

/* Elements after the first dimension, at most `limit`. */
static size_t features_of(const glnn__npy_header *header, size_t limit)
{
    size_t features = 1;
    for (int d = 1; d < header->dimensions; ++d)
        features = header->size[d] > limit / features ? limit : features * header->size[d];
    return features;
}

static glnn_status check_npy(const char *path, const glnn__npy_header *header,
                             const glnn_dataset_desc *desc)
{
    if (header->type != GLNN_NPY_FLOAT32 || header->big_endian != is_big_endian())
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: only float32 in the order of this machine's bytes, %cf4, is read "
                          "where it lies",
                          path, is_big_endian() ? '>' : '<');
    if (header->fortran_order && header->dimensions > 1)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: in Fortran order, but samples have to lie one after the other",
                          path);
    const size_t features = features_of(header, SIZE_MAX);
    if (header->size[0] != (size_t)desc->samples || features != (size_t)desc->features)
        return glnn__fail(GLNN_E_SHAPE, "%s: has %zu samples of %zu features, not %d of %d", path,
                          header->size[0], features, desc->samples, desc->features);
    return GLNN_OK;
}

/* The header is read apart from the mapping, since a mapped file that becomes shorter raises a
 * signal. */
static glnn_status read_header(const char *path, const glnn__mapping *file, glnn__npy_header *out)
{
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    glnn_status status =
        content.is_packed
            ? glnn__fail(GLNN_E_FORMAT, "%s: compressed, so it cannot be read where it lies", path)
            : glnn__npy_header_read(&content, out);
    if (!glnn__mapping_is_whole(file))
        status = glnn__fail(GLNN_E_IO, "%s: the header cannot be read; the file had %zu bytes",
                            path, file->size);
    glnn__content_close(&content);
    return status;
}

/* *offset: where the first sample begins. */
static glnn_status find_samples(const char *path, const glnn__mapping *file,
                                glnn_dataset_format format, const glnn_dataset_desc *desc,
                                size_t *offset)
{
    *offset = 0;
    if (format == GLNN_DATASET_NPY) {
        glnn__npy_header header;
        GLNN__TRY(read_header(path, file, &header));
        GLNN__TRY(check_npy(path, &header, desc));
        *offset = header.length;
    }
    const unsigned long long size =
        4ULL * (unsigned long long)desc->samples * (unsigned long long)desc->features;
    if (file->size - *offset != size)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: %d samples of %d features take %llu bytes, but the file has %zu",
                          path, desc->samples, desc->features, size, file->size - *offset);
    return GLNN_OK;
}

static glnn_status check_arguments(const char *path, glnn_dataset_format format,
                                   const glnn_dataset_desc *desc)
{
    if ((unsigned)format >= GLNN_DATASET_FORMAT_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: format %d is unknown", path, (int)format);
    if (!*path)
        return glnn__fail(GLNN_E_ARG, "glnn_dataset_open: the path is empty");
    if (desc->inputs)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the inputs are in the file, but desc->inputs is not null", path);
    if (desc->samples < 1 || desc->features < 1)
        return glnn__fail(GLNN_E_ARG, "%s: %d samples of %d features; both must be at least 1",
                          path, desc->samples, desc->features);
    return GLNN_OK;
}

glnn_status glnn_dataset_open(glnn_context *ctx, const char *path, glnn_dataset_format format,
                              const glnn_dataset_desc *desc, glnn_dataset **out)
{
    if (!ctx || !path || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_dataset_open: an argument is null");
    *out = NULL;
    GLNN__TRY(check_arguments(path, format, desc));
    glnn_dataset_desc filled = *desc;
    if (!filled.name)
        filled.name = path;
    if (filled.texture_budget == 0)
        filled.texture_budget = ctx->info.texture_budget / 2;
    glnn__mapping file;
    size_t offset;
    GLNN__TRY(glnn__mapping_open(path, &file));
    const glnn_status status = find_samples(path, &file, format, desc, &offset);
    if (status) {
        glnn__mapping_close(&file);
        return status;
    }
    return glnn__dataset_create(ctx, &filled, file.bytes + offset, &file, out);
}
