#include <glnn/gmm.h>

#include "base/status.h"
#include "data/description.h"
#include "data/number.h"

#include <stdlib.h>

/* A mixture on its way to or from a file. */
typedef struct model {
    glnn__reading reading;
    glnn_gmm_desc desc;
    const float *weights, *means, *covariances;
} model;

static size_t count_of(const glnn_gmm_desc *desc)
{
    return (size_t)desc->components * (size_t)(desc->classes > 0 ? desc->classes : 1);
}

/* The arrays as a file has them; only full covariances have two dimensions of their own. */
static glnn_tensor covariance_tensor(const model *of)
{
    const size_t features = (size_t)of->desc.features;
    glnn_tensor tensor = {
        "covariances", 3, {count_of(&of->desc), features, features}, of->covariances};
    if (of->desc.covariance == GLNN_COVARIANCE_DIAGONAL)
        tensor.dimensions = 2;
    if (of->desc.covariance == GLNN_COVARIANCE_SPHERICAL)
        tensor.dimensions = 1;
    return tensor;
}

static glnn_status describe(const glnn_gmm_desc *desc, glnn__texts *texts)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn__texts_add(texts, "format", "glnn-gmm");
    glnn__texts_add(texts, "version", "1");
    glnn__texts_add(texts, "features", "%d", desc->features);
    glnn__texts_add(texts, "components", "%d", desc->components);
    glnn__texts_add(texts, "classes", "%d", desc->classes);
    glnn__texts_add(texts, "covariance", "%s", glnn_covariance_name(desc->covariance));
    glnn__texts_add(texts, "variance_floor", "%.9g", (double)desc->variance_floor);
    glnn__c_locale_leave(&locale);
    return GLNN_OK;
}

static glnn_status write(const char *path, const model *of)
{
    const size_t count = count_of(&of->desc), features = (size_t)of->desc.features;
    const glnn_tensor tensors[] = {
        {"weights", 1, {count}, of->weights},
        {"means", 2, {count, features}, of->means},
        covariance_tensor(of),
    };
    glnn__texts texts = {.count = 0};
    GLNN__TRY(describe(&of->desc, &texts));
    return glnn_safetensors_write(path, tensors, 3, texts.entries, texts.count);
}

glnn_status glnn_gmm_save(const glnn_gmm *gmm, const char *path)
{
    if (!gmm || !path)
        return glnn__fail(GLNN_E_ARG, "glnn_gmm_save: %s is null", gmm ? "path" : "gmm");
    const glnn_gmm_desc *desc = glnn_gmm_get_desc(gmm);
    const size_t count = count_of(desc), means = count * (size_t)desc->features;
    const size_t size = count + means + count * (size_t)glnn_gmm_covariance_size(gmm);
    float *values = malloc(size * sizeof *values);
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory to save %zu values", size);
    glnn_status status =
        glnn_gmm_get_parameters(gmm, values, values + count, values + count + means);
    if (!status && !glnn__all_finite(values, size))
        status = glnn__fail(GLNN_E_DIVERGED,
                            "the mixture has numbers that are not finite; they are not saved");
    if (!status)
        status = write(path, &(model){.desc = *desc,
                                      .weights = values,
                                      .means = values + count,
                                      .covariances = values + count + means});
    free(values);
    return status;
}

static glnn_status read_texts(const glnn__reading *in, glnn_gmm_desc *out)
{
    const char *names[GLNN_COVARIANCE_COUNT];
    int covariance;
    for (int c = 0; c < GLNN_COVARIANCE_COUNT; ++c)
        names[c] = glnn_covariance_name((glnn_covariance)c);
    GLNN__TRY(glnn__read_expect(in, "format", "glnn-gmm"));
    GLNN__TRY(glnn__read_expect(in, "version", "1"));
    GLNN__TRY(glnn__read_int(in, "features", 1, &out->features));
    GLNN__TRY(glnn__read_int(in, "components", 1, &out->components));
    GLNN__TRY(glnn__read_int(in, "classes", 0, &out->classes));
    GLNN__TRY(glnn__read_choice(in, "covariance", names, GLNN_COVARIANCE_COUNT, &covariance));
    out->covariance = (glnn_covariance)covariance;
    return glnn__read_float(in, "variance_floor", 1, &out->variance_floor);
}

static glnn_status read_covariances(model *in)
{
    const glnn_tensor wanted = covariance_tensor(in);
    const glnn_tensor *tensor = glnn_safetensors_find(in->reading.file, wanted.name);
    if (!tensor)
        return glnn__fail(GLNN_E_FORMAT, "%s: there is no array 'covariances' of float32",
                          in->reading.path);
    bool fits = tensor->dimensions == wanted.dimensions;
    for (int i = 0; fits && i < wanted.dimensions; ++i)
        fits = tensor->size[i] == wanted.size[i];
    if (!fits)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: array 'covariances' is not what %zu %s covariances of %d features "
                          "take",
                          in->reading.path, wanted.size[0],
                          glnn_covariance_name(in->desc.covariance), in->desc.features);
    in->covariances = tensor->data;
    return GLNN_OK;
}

static glnn_status read_model(model *in)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    glnn_status status = read_texts(&in->reading, &in->desc);
    glnn__c_locale_leave(&locale);
    GLNN__TRY(status);
    const size_t count = count_of(&in->desc), features = (size_t)in->desc.features;
    GLNN__TRY(glnn__read_array(&in->reading, "weights", 1, count, 1, &in->weights));
    GLNN__TRY(glnn__read_array(&in->reading, "means", 2, count, features, &in->means));
    return read_covariances(in);
}

/* The caller's own arguments were checked before, so it is the file that asks for nonsense. */
static glnn_status make_mixture(const model *in, glnn_context *ctx, glnn_gmm **out)
{
    glnn_gmm *gmm = NULL;
    glnn_status status = glnn_gmm_create(ctx, &in->desc, &gmm);
    if (!status)
        status = glnn_gmm_set_parameters(gmm, in->weights, in->means, in->covariances);
    if (status == GLNN_E_ARG)
        status = glnn__fail(GLNN_E_FORMAT, "%s: describes no mixture that can be: %s",
                            in->reading.path, glnn_last_error());
    if (status)
        glnn_gmm_destroy(gmm);
    else
        *out = gmm;
    return status;
}

glnn_status glnn_gmm_load(glnn_context *ctx, const char *path, glnn_layout layout, int capacity,
                          glnn_gmm **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_gmm_load: %s is null",
                          !ctx    ? "ctx"
                          : !path ? "path"
                                  : "out");
    if ((unsigned)layout >= GLNN_LAYOUT_PAGED || capacity < 0)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_gmm_load: a mixture cannot have the layout %d and a capacity of %d",
                          (int)layout, capacity);
    glnn_safetensors *file;
    GLNN__TRY(glnn_safetensors_open(path, &file));
    model in = {.reading = {path, "mixture", file}};
    glnn_status status = read_model(&in);
    in.desc.layout = layout;
    in.desc.capacity = capacity;
    if (!status)
        status = make_mixture(&in, ctx, out);
    glnn_safetensors_close(file);
    return status;
}
