#include "prototypes/kmeans/kmeans.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "learner/learner_file.h"

#include <stddef.h>

static const glnn__field fields[] = {
    {"features", .offset = offsetof(glnn_kmeans_desc, features), .least = 1},
    {"centres", .offset = offsetof(glnn_kmeans_desc, centres), .least = 1},
    {"classes", .offset = offsetof(glnn_kmeans_desc, classes)},
};

static glnn_status check(const glnn__described_file *in, void *description)
{
    const glnn_kmeans_desc *desc = description;
    if (desc->classes > 0 && desc->centres > (1 << 24) / desc->classes)
        return glnn__fail(GLNN_E_FORMAT, "%s: describes %d centres for each of %d classes",
                          in->path, desc->centres, desc->classes);
    return GLNN_OK;
}

enum { CENTRES, SIZES };

static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn_kmeans_desc *desc = description;
    const int count = desc->centres * (desc->classes > 0 ? desc->classes : 1);
    const size_t size[] = {(size_t)count, (size_t)desc->features};
    glnn__arrays_add(out, 2, size, "centres");
    glnn__arrays_add(out, 1, size, "sizes");
}

static glnn_status collect(const void *kmeans, const glnn__arrays *out)
{
    GLNN__TRY(glnn_kmeans_get_centres(kmeans, out->values[CENTRES]));
    GLNN__TRY(glnn_kmeans_get_sizes(kmeans, out->values[SIZES]));
    if (!glnn__arrays_finite(out, CENTRES, 1))
        return glnn__fail(GLNN_E_DIVERGED,
                          "k-means has centres that are not finite; they are not saved");
    return GLNN_OK;
}

static const glnn__file_kind kind = {
    .name = "kmeans",
    .what = "k-means",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .undescribe = check,
    .add_arrays = add_arrays,
    .collect = collect,
};

void glnn__kmeans_identify(const void *self, glnn__texts *texts)
{
    const glnn_kmeans *kmeans = self;
    glnn__texts_add_fields(texts, fields, sizeof fields / sizeof *fields, &kmeans->desc);
    glnn__texts_add(texts, "restarts", "%d", kmeans->desc.restarts);
    glnn__texts_add_float(texts, "tolerance", kmeans->desc.tolerance);
}

glnn_status glnn_kmeans_save(const glnn_kmeans *kmeans, const char *path)
{
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, glnn__kmeans_check_set(kmeans)));
    return glnn__fail_in(__func__, glnn__file_save(&kind, path, glnn_kmeans_get_desc(kmeans),
                                                   kmeans, glnn_kmeans_get_preparation(kmeans)));
}

/* Brings the arrays of a file into k-means of the same sizes. The sizes of centres are checked
 * first, because setting the centres discards those that were there. */
static glnn_status apply(const glnn__file *in, glnn_kmeans *kmeans)
{
    const glnn_tensor *from = in->arrays.tensors;
    GLNN__TRY(glnn__kmeans_check_sizes(kmeans, in->reading.path, from[SIZES].data));
    GLNN__TRY(glnn_kmeans_set_centres(kmeans, from[CENTRES].data));
    return glnn_kmeans_set_sizes(kmeans, from[SIZES].data);
}

static glnn_status make(const glnn__file *in, const glnn_kmeans_desc *desc, glnn_context *ctx,
                        glnn_kmeans **out)
{
    GLNN__TRY(glnn_kmeans_create(ctx, desc, out));
    GLNN__TRY(apply(in, *out));
    return glnn_kmeans_set_preparation(*out, &in->preparation);
}

glnn_status glnn_kmeans_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                             glnn_kmeans **out)
{
    glnn_kmeans *kmeans = NULL;
    glnn_load_desc how;
    glnn__file in;
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__load_desc_check(__func__, desc, &how));
    glnn_kmeans_desc of = {.layout = how.layout, .capacity = how.capacity};
    GLNN__TRY(glnn__fail_in(__func__, glnn__file_open(&kind, path, &of, &in)));
    glnn_status status = glnn__file_close(&in, make(&in, &of, ctx, &kmeans));
    if (status)
        glnn_kmeans_destroy(kmeans);
    else
        *out = kmeans;
    return glnn__fail_in(__func__, status);
}

static glnn_status apply_if_fits(const glnn__file *in, const glnn_kmeans_desc *of,
                                 glnn_kmeans *kmeans)
{
    const glnn_kmeans_desc *own = &kmeans->desc;
    if (of->features == own->features && of->centres == own->centres && of->classes == own->classes)
        return apply(in, kmeans);
    return glnn__fail(
        GLNN_E_SHAPE,
        "%s: the file has %d centres, %d features and %d classes; the k-means to load "
        "into has %d, %d and %d",
        in->reading.path, of->centres, of->features, of->classes, own->centres, own->features,
        own->classes);
}

glnn_status glnn_kmeans_load_parameters(glnn_kmeans *kmeans, const char *path)
{
    glnn_kmeans_desc of = {0};
    glnn__file in;
    GLNN__HELD(kmeans);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, glnn__file_open(&kind, path, &of, &in)));
    return glnn__fail_in(__func__, glnn__file_close(&in, apply_if_fits(&in, &of, kmeans)));
}
