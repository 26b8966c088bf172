/* Data sets whose samples are in a file. */
#include "base/names.h"
#include "data/dataset.h"
#include "gl/lifetime.h"
#include "io/npy_header.h"

#include <inttypes.h>

static const char *const format_names[] = {
    [GLNN_DATASET_FLOATS] = "floats", [GLNN_DATASET_NPY] = "npy"};

GLNN__DEFINE_NAMES(glnn_dataset_format, format_names)

static bool is_big_endian(void)
{
    const unsigned short one = 1;
    return *(const unsigned char *)&one == 0;
}

/* The product of the sizes after the first one, at most `limit`. */
static size_t features_of(const glnn__npy_header *header, size_t limit)
{
    size_t features = 1;
    for (int d = 1; d < header->dimensions; ++d)
        features = header->shape[d] > limit / features ? limit : features * header->shape[d];
    return features;
}

static glnn_status check_npy(const char *path, const glnn__npy_header *header,
                             const glnn_dataset_desc *desc)
{
    if (header->type != GLNN_NPY_FLOAT32 || header->big_endian != is_big_endian())
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: holds elements of type %c%s; a data set reads float32 in this "
                          "machine's byte order, %c%s",
                          path, header->big_endian ? '>' : '<', glnn_npy_type_name(header->type),
                          is_big_endian() ? '>' : '<', glnn_npy_type_name(GLNN_NPY_FLOAT32));
    if (header->fortran_order && header->dimensions > 1)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: is in Fortran order; a data set reads C order, in which samples "
                          "follow each other",
                          path);
    const size_t features = features_of(header, SIZE_MAX);
    if (header->shape[0] != (size_t)desc->samples || features != (size_t)desc->features)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: has %zu samples of %zu features, not %" PRId64 " of %d", path,
                          header->shape[0], features, desc->samples, desc->features);
    return GLNN_OK;
}

static glnn_status read_header(const char *path, glnn__npy_header *out)
{
    glnn__content content;
    GLNN__TRY(glnn__content_open(path, &content));
    const glnn_status status =
        content.is_packed
            ? glnn__fail(GLNN_E_FORMAT, "%s: is compressed; a data set reads plain files", path)
            : glnn__npy_header_read(&content, out);
    glnn__content_close(&content);
    return status;
}

/* Finds the byte at which the first sample begins. */
static glnn_status find_samples(const char *path, glnn_dataset_format format,
                                const glnn_dataset_desc *desc, size_t *begin)
{
    *begin = 0;
    if (format != GLNN_DATASET_NPY)
        return GLNN_OK;
    glnn__npy_header header;
    GLNN__TRY(read_header(path, &header));
    GLNN__TRY(check_npy(path, &header, desc));
    *begin = header.length;
    return GLNN_OK;
}

/* Opens a file whose first sample begins at the byte `begin`. */
static glnn_status open_samples(const char *path, const glnn_dataset_desc *desc, size_t begin,
                                glnn__sample_file *out)
{
    GLNN__TRY(glnn__sample_file_open(path, desc->map_file, out));
    const unsigned long long size =
        4ULL * (unsigned long long)desc->samples * (unsigned long long)desc->features;
    out->begin = begin;
    if (out->size >= begin && out->size - begin == size)
        return GLNN_OK;
    const glnn_status status = glnn__fail(
        GLNN_E_FORMAT,
        "%s: %" PRId64 " samples of %d features and a header of %zu bytes take %llu bytes, but the "
        "file has %zu",
        path, desc->samples, desc->features, begin, size + begin, out->size);
    glnn__sample_file_close(out);
    return status;
}

static glnn_status check_arguments(glnn_dataset_format format, const glnn_dataset_desc *desc)
{
    if ((unsigned)format >= GLNN_DATASET_FORMAT_COUNT)
        return glnn__fail(GLNN_E_ARG, "`format` is %d; it must be below %d", (int)format,
                          (int)GLNN_DATASET_FORMAT_COUNT);
    if (desc->inputs || desc->read)
        return glnn__fail(GLNN_E_ARG, "desc->%s must be null, because the inputs are in the file",
                          desc->inputs ? "inputs" : "read");
    return glnn__dataset_check_counts("glnn_dataset_open", desc);
}

glnn_status glnn_dataset_open(glnn_context *ctx, const char *path, glnn_dataset_format format,
                              const glnn_dataset_desc *desc, glnn_dataset **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(desc);
    GLNN__TRY(glnn__fail_in(__func__, check_arguments(format, desc)));
    glnn_dataset_desc named = *desc;
    if (!named.name)
        named.name = path;
    size_t begin = 0;
    glnn__source source = {0};
    GLNN__TRY(glnn__fail_in(__func__, find_samples(path, format, desc, &begin)));
    GLNN__TRY(glnn__fail_in(__func__, open_samples(path, desc, begin, &source.file)));
    if (desc->map_file)
        source.inputs = source.file.mapping.bytes + begin;
    return glnn__dataset_create(ctx, __func__, &named, &source, out);
}
