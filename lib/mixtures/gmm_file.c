#include "mixtures/gmm.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "learner/learner_file.h"

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

void glnn__gmm_identify(const void *self, glnn__texts *texts)
{
    const glnn_gmm *gmm = self;
    glnn__texts_add_fields(texts, fields, sizeof fields / sizeof *fields, &gmm->desc);
    glnn__texts_add_float(texts, "shrinkage", gmm->desc.shrinkage);
    glnn__texts_add_float(texts, "tolerance", gmm->desc.tolerance);
}

glnn_status glnn_gmm_save(const glnn_gmm *gmm, const char *path)
{
    GLNN__HELD(gmm);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, glnn__gmm_check_set(gmm)));
    return glnn__fail_in(__func__, glnn__file_save(&kind, path, glnn_gmm_get_desc(gmm), gmm,
                                                   glnn_gmm_get_preparation(gmm)));
}

static glnn_status apply(const glnn__file *in, glnn_gmm *gmm)
{
    const glnn_tensor *from = in->arrays.tensors;
    return glnn_gmm_set_parameters(gmm, from[WEIGHTS].data, from[MEANS].data,
                                   from[COVARIANCES].data);
}

static glnn_status make(const glnn__file *in, const glnn_gmm_desc *desc, glnn_context *ctx,
                        glnn_gmm **out)
{
    GLNN__TRY(glnn_gmm_create(ctx, desc, out));
    GLNN__TRY(apply(in, *out));
    return glnn_gmm_set_preparation(*out, &in->preparation);
}

glnn_status glnn_gmm_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                          glnn_gmm **out)
{
    glnn_gmm *gmm = NULL;
    glnn_load_desc how;
    glnn__file in;
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__load_desc_check(__func__, desc, &how));
    glnn_gmm_desc of = {.layout = how.layout, .capacity = how.capacity};
    GLNN__TRY(glnn__fail_in(__func__, glnn__file_open(&kind, path, &of, &in)));
    glnn_status status = glnn__file_close(&in, make(&in, &of, ctx, &gmm));
    if (status)
        glnn_gmm_destroy(gmm);
    else
        *out = gmm;
    return glnn__fail_in(__func__, status);
}

static glnn_status apply_if_fits(const glnn__file *in, const glnn_gmm_desc *of, glnn_gmm *gmm)
{
    const glnn_gmm_desc *own = &gmm->desc;
    if (of->features == own->features && of->components == own->components &&
        of->classes == own->classes && of->covariance == own->covariance)
        return apply(in, gmm);
    return glnn__fail(GLNN_E_SHAPE,
                      "%s: the file has %d components, %d features, %d classes and %s covariances; "
                      "the mixture to "
                      "load into has %d, %d, %d and %s",
                      in->reading.path, of->components, of->features, of->classes,
                      glnn_covariance_name(of->covariance), own->components, own->features,
                      own->classes, glnn_covariance_name(own->covariance));
}

glnn_status glnn_gmm_load_parameters(glnn_gmm *gmm, const char *path)
{
    glnn_gmm_desc of = {0};
    glnn__file in;
    GLNN__HELD(gmm);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, glnn__file_open(&kind, path, &of, &in)));
    return glnn__fail_in(__func__, glnn__file_close(&in, apply_if_fits(&in, &of, gmm)));
}
