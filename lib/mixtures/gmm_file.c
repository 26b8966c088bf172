#include "mixtures/gmm.h"

#include "base/status.h"
#include "train/learner_file.h"

#include <stddef.h>

static const char *covariance_name(int covariance)
{
    return glnn_covariance_name((glnn_covariance)covariance);
}

static const glnn__field fields[] = {
    {"features", .offset = offsetof(glnn_gmm_desc, features), .least = 1},
    {"components", .offset = offsetof(glnn_gmm_desc, components), .least = 1},
    {"classes", .offset = offsetof(glnn_gmm_desc, classes)},
    {"covariance", GLNN__FIELD_CHOICE, .offset = offsetof(glnn_gmm_desc, covariance),
     .name = covariance_name, .choices = GLNN_COVARIANCE_COUNT},
    {"variance_floor", GLNN__FIELD_FLOAT, .offset = offsetof(glnn_gmm_desc, variance_floor),
     .limit = 1},
};

enum { WEIGHTS, MEANS, COVARIANCES, ARRAYS };

/* Only full covariances have two dimensions of their own. */
static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn_gmm_desc *desc = description;
    static const int dimensions[GLNN_COVARIANCE_COUNT] = {[GLNN_COVARIANCE_FULL] = 3,
                                                          [GLNN_COVARIANCE_DIAGONAL] = 2,
                                                          [GLNN_COVARIANCE_SPHERICAL] = 1};
    const size_t features = (size_t)desc->features;
    const size_t count = (size_t)desc->components * (size_t)(desc->classes > 0 ? desc->classes : 1);
    const size_t size[] = {count, features, features};
    glnn__arrays_add(out, 1, size, "weights");
    glnn__arrays_add(out, 2, size, "means");
    glnn__arrays_add(out, dimensions[desc->covariance], size, "covariances");
}

static glnn_status collect(const void *gmm, const glnn__arrays *out)
{
    GLNN__TRY(glnn_gmm_get_parameters(gmm, out->values[WEIGHTS], out->values[MEANS],
                                      out->values[COVARIANCES]));
    if (!glnn__arrays_finite(out, 0, ARRAYS))
        return glnn__fail(GLNN_E_DIVERGED,
                          "the mixture has numbers that are not finite; they are not saved");
    return GLNN_OK;
}

static const glnn__file_kind kind = {
    .name = "gmm",
    .what = "mixture",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .add_arrays = add_arrays,
    .collect = collect,
};

glnn_status glnn_gmm_save(const glnn_gmm *gmm, const char *path)
{
    GLNN__TRY(glnn__file_check(&kind, "save", gmm, path));
    GLNN__TRY(glnn__gmm_check_set(gmm, __func__));
    return glnn__file_save(&kind, path, glnn_gmm_get_desc(gmm), gmm, glnn_gmm_get_preparation(gmm));
}

static glnn_status make(const glnn__file *in, const glnn_gmm_desc *desc, glnn_context *ctx,
                        glnn_gmm **out)
{
    const glnn_tensor *from = in->arrays.tensors;
    GLNN__TRY(glnn_gmm_create(ctx, desc, out));
    GLNN__TRY(glnn_gmm_set_parameters(*out, from[WEIGHTS].data, from[MEANS].data,
                                      from[COVARIANCES].data));
    return glnn_gmm_set_preparation(*out, &in->preparation);
}

glnn_status glnn_gmm_load(glnn_context *ctx, const char *path, glnn_layout layout, int capacity,
                          glnn_gmm **out)
{
    glnn_gmm_desc desc = {.layout = layout, .capacity = capacity};
    glnn_gmm *gmm = NULL;
    glnn__file in;
    if (out)
        *out = NULL;
    GLNN__TRY(glnn__file_check_load(&kind, ctx, path, layout, capacity, out));
    GLNN__TRY(glnn__file_open(&kind, path, &desc, &in));
    glnn_status status = glnn__file_close(&in, make(&in, &desc, ctx, &gmm));
    if (status)
        glnn_gmm_destroy(gmm);
    else
        *out = gmm;
    return status;
}
