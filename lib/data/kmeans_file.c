#include <glnn/kmeans.h>

#include "base/status.h"
#include "data/description.h"
#include "data/number.h"

#include <stdlib.h>

static int count_of(const glnn_kmeans_desc *desc)
{
    return desc->centres * (desc->classes > 0 ? desc->classes : 1);
}

static glnn_status write(const char *path, const glnn_kmeans_desc *desc, const float *centres,
                         const float *sizes)
{
    const size_t count = (size_t)count_of(desc), features = (size_t)desc->features;
    const glnn_tensor tensors[] = {
        {"centres", 2, {count, features}, centres},
        {"sizes", 1, {count}, sizes},
    };
    if (!glnn__all_finite(centres, count * features))
        return glnn__fail(GLNN_E_DIVERGED,
                          "k-means has centres that are not finite; they are not saved");
    glnn__texts texts = {.count = 0};
    glnn__texts_add(&texts, "format", "glnn-kmeans");
    glnn__texts_add(&texts, "version", "1");
    glnn__texts_add(&texts, "features", "%d", desc->features);
    glnn__texts_add(&texts, "centres", "%d", desc->centres);
    glnn__texts_add(&texts, "classes", "%d", desc->classes);
    return glnn_safetensors_write(path, tensors, 2, texts.entries, texts.count);
}

glnn_status glnn_kmeans_save(const glnn_kmeans *kmeans, const char *path)
{
    if (!kmeans || !path)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_save: %s is null", kmeans ? "path" : "kmeans");
    const glnn_kmeans_desc *desc = glnn_kmeans_get_desc(kmeans);
    const size_t count = (size_t)count_of(desc), size = count * (size_t)desc->features;
    float *centres = malloc((size + count) * sizeof *centres);
    if (!centres)
        return glnn__fail(GLNN_E_NOMEM, "no memory to save %zu values", size + count);
    glnn_status status = glnn_kmeans_get_centres(kmeans, centres);
    if (!status)
        status = glnn_kmeans_get_sizes(kmeans, centres + size);
    if (!status)
        status = write(path, desc, centres, centres + size);
    free(centres);
    return status;
}

/* A file with k-means in it. */
typedef struct model {
    glnn__reading reading;
    glnn_kmeans_desc desc;
    const float *centres, *sizes;
} model;

static glnn_status read_texts(const glnn__reading *in, glnn_kmeans_desc *out)
{
    GLNN__TRY(glnn__read_expect(in, "format", "glnn-kmeans"));
    GLNN__TRY(glnn__read_expect(in, "version", "1"));
    GLNN__TRY(glnn__read_int(in, "features", 1, &out->features));
    GLNN__TRY(glnn__read_int(in, "centres", 1, &out->centres));
    return glnn__read_int(in, "classes", 0, &out->classes);
}

/* Checks what the sizes of arrays are told by before they are multiplied. */
static glnn_status read_model(model *in)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = read_texts(&in->reading, &in->desc);
    glnn__c_locale_leave(&locale);
    GLNN__TRY(status);
    if (in->desc.classes > 0 && in->desc.centres > (1 << 24) / in->desc.classes)
        return glnn__fail(GLNN_E_FORMAT, "%s: describes %d centres for each of %d classes",
                          in->reading.path, in->desc.centres, in->desc.classes);
    const size_t count = (size_t)count_of(&in->desc), features = (size_t)in->desc.features;
    GLNN__TRY(glnn__read_array(&in->reading, "centres", 2, count, features, &in->centres));
    return glnn__read_array(&in->reading, "sizes", 1, count, 1, &in->sizes);
}

static glnn_status apply(const model *in, glnn_kmeans *kmeans)
{
    GLNN__TRY(glnn_kmeans_set_centres(kmeans, in->centres));
    return glnn_kmeans_set_sizes(kmeans, in->sizes);
}

/* The caller's own arguments were checked before, so it is the file that asks for nonsense. */
static glnn_status make_kmeans(const model *in, glnn_context *ctx, glnn_kmeans **out)
{
    glnn_kmeans *kmeans = NULL;
    glnn_status status = glnn_kmeans_create(ctx, &in->desc, &kmeans);
    if (!status)
        status = apply(in, kmeans);
    if (status == GLNN_E_ARG)
        status = glnn__fail(GLNN_E_FORMAT, "%s: describes no k-means that can be: %s",
                            in->reading.path, glnn_last_error());
    if (status)
        glnn_kmeans_destroy(kmeans);
    else
        *out = kmeans;
    return status;
}

glnn_status glnn_kmeans_load(glnn_context *ctx, const char *path, glnn_layout layout, int capacity,
                             glnn_kmeans **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_load: %s is null",
                          !ctx    ? "ctx"
                          : !path ? "path"
                                  : "out");
    if ((unsigned)layout >= GLNN_LAYOUT_PAGED || capacity < 0)
        return glnn__fail(
            GLNN_E_ARG, "glnn_kmeans_load: k-means cannot have the layout %d and a capacity of %d",
            (int)layout, capacity);
    glnn_safetensors *file;
    GLNN__TRY(glnn_safetensors_open(path, &file));
    model in = {.reading = {path, "k-means", file}};
    glnn_status status = read_model(&in);
    in.desc.layout = layout;
    in.desc.capacity = capacity;
    if (!status)
        status = make_kmeans(&in, ctx, out);
    glnn_safetensors_close(file);
    return status;
}
