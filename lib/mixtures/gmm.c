/* Making and unmaking a mixture. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "io/fields.h"
#include "ops/gemm/layout.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_EPOCHS 100

/* Responsibilities of a component are counted in float32. */
#define MAX_COMPONENTS (1 << 24)

static const char *const covariance_names[] = {
    [GLNN_COVARIANCE_FULL] = "full",
    [GLNN_COVARIANCE_DIAGONAL] = "diagonal",
    [GLNN_COVARIANCE_SPHERICAL] = "spherical",
};

GLNN__DEFINE_NAMES(glnn_covariance, covariance_names)

GLNN__DECLARE_NAMES(glnn_layout)

#define AT(member) offsetof(glnn_gmm_desc, member)

/* Below the least floor the rounding of a covariance to float32 might cost it its definiteness. */
static const glnn__field fields[] = {
    GLNN__ROW(INT, features, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, components, GLNN__IN_FILES, .least = 1),
    GLNN__ROW(INT, classes, GLNN__IN_FILES, .zero = "none, so that labels are ignored"),
    GLNN__ROW(CHOICE, covariance, GLNN__IN_FILES, .names = &glnn__names_of_glnn_covariance),
    GLNN__ROW(FLOAT, variance_floor, GLNN__IN_FILES, .standard = 1e-4, .least = 1e-6, .most = 0.5),
    GLNN__ROW(FLOAT, shrinkage, GLNN__IN_CHECKPOINTS, .standard = 1, .least = -INFINITY,
              .most = 1e6),
    GLNN__ROW(FLOAT, tolerance, GLNN__IN_CHECKPOINTS, .standard = 1e-3, .least = -INFINITY),
    GLNN__ROW(CHOICE, layout, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_layout,
              .most = GLNN_LAYOUT_UNPACKED),
    GLNN__ROW(INT, capacity, GLNN__NOT_KEPT, .standard = 1024, .least = 1),
    GLNN__ROW(UINT64, seed, GLNN__NOT_KEPT),
};

const glnn__fields glnn__gmm_fields = GLNN__DESCRIPTION(glnn_gmm_desc, fields);

static glnn_status check_counts(const glnn_gmm_desc *desc)
{
    const int64_t count = (int64_t)desc->components * (desc->classes > 0 ? desc->classes : 1);
    if (count > MAX_COMPONENTS)
        return glnn__fail(GLNN_E_LIMIT, "a mixture of %lld components; it can have %d",
                          (long long)count, MAX_COMPONENTS);
    if (desc->covariance == GLNN_COVARIANCE_FULL && desc->features > GLNN_GMM_MAX_FULL_FEATURES)
        return glnn__fail(GLNN_E_LIMIT,
                          "a mixture of full covariances of %d features; they can have %d",
                          desc->features, GLNN_GMM_MAX_FULL_FEATURES);
    return GLNN_OK;
}

/* By the products that find densities and add moments up. */
static glnn_status choose_layout(glnn__gmm *gmm)
{
    const glnn_gmm_desc *desc = &gmm->desc;
    const bool is_full = desc->covariance == GLNN_COVARIANCE_FULL;
    const int columns = desc->components * (is_full ? desc->features : 1);
    const glnn__layout_use uses[] = {
        {.rows = desc->capacity, .columns = columns, .inner = desc->features},
        {.rows = desc->features, .columns = columns, .inner = desc->capacity, .transpose_a = true}};
    return glnn__layout_choose(gmm->ctx, uses, 2, &gmm->desc.layout);
}

static glnn_status create_all(glnn__gmm *gmm)
{
    const glnn_gmm_desc *desc = &gmm->desc;
    GLNN__TRY(choose_layout(gmm));
    gmm->classes = calloc((size_t)glnn__gmm_class_count(gmm), sizeof *gmm->classes);
    gmm->settled = calloc((size_t)glnn__gmm_class_count(gmm), sizeof *gmm->settled);
    if (!gmm->classes || !gmm->settled)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", glnn__gmm_class_count(gmm));
    GLNN__TRY(glnn__gmm_parameters_create(desc->covariance, gmm->count, desc->features,
                                          &gmm->parameters));
    GLNN__TRY(
        glnn__gmm_bank_create(gmm->ctx, desc->layout, &gmm->parameters, gmm->count, &gmm->all));
    GLNN__TRY(glnn__gmm_bank_create(gmm->ctx, desc->layout, &gmm->parameters, desc->components,
                                    &gmm->own));
    return glnn__gmm_sums_create(&gmm->own, &gmm->sums);
}

static void fill_learner(glnn__gmm *gmm)
{
    const glnn_gmm_desc *desc = &gmm->desc;
    glnn_learner *learner = &gmm->learner;
    learner->features = desc->features;
    learner->outputs = desc->classes;
    learner->predicted = desc->classes > 0 ? desc->classes : gmm->count;
    learner->stores_classes = true;
    learner->labelled = desc->classes > 0 ? "a mixture for each class" : NULL;
    learner->trains_labelled = true;
    learner->capacity = desc->capacity;
    learner->layout = desc->layout;
    learner->default_epochs = DEFAULT_EPOCHS;
    learner->takes_full_batch = true;
    learner->sums_epochs = true;
    learner->settled = gmm->settled;
    learner->is_set = &gmm->has_parameters;
    learner->unset =
        "the mixture has no parameters yet; glnn_learner_initialise and "
        "glnn_learner_train set them, and so does glnn_learner_set_tensor of `weights` "
        "and `covariances`";
    learner->groups_classes = desc->classes > 0;
}

glnn_status glnn__gmm_build(void *self, const void *desc)
{
    glnn__gmm *gmm = self;
    gmm->ctx = gmm->learner.ctx;
    gmm->desc = *(const glnn_gmm_desc *)desc;
    GLNN__TRY(glnn__fields_check(&glnn__gmm_fields, &gmm->desc));
    GLNN__TRY(check_counts(&gmm->desc));
    gmm->count = gmm->desc.components * glnn__gmm_class_count(gmm);
    GLNN__TRY(create_all(gmm));
    fill_learner(gmm);
    return glnn__learner_create_metrics(&gmm->learner, 4);
}

void glnn__gmm_training_end(glnn__gmm *gmm)
{
    for (int c = 0; gmm->classes && c < glnn__gmm_class_count(gmm); ++c)
        glnn__gmm_reading_drop(&gmm->classes[c].reading);
    glnn__gmm_sums_release(&gmm->sums);
}

void glnn__gmm_destroy(void *self)
{
    glnn__gmm *gmm = self;
    glnn__gmm_training_end(gmm);
    glnn__gmm_bank_destroy(&gmm->all);
    glnn__gmm_bank_destroy(&gmm->own);
    glnn__gmm_sums_destroy(&gmm->sums);
    glnn__gmm_parameters_destroy(&gmm->parameters);
    free(gmm->classes);
    free(gmm->settled);
}

void glnn__gmm_settle(glnn__gmm *gmm, int c, bool is_settled)
{
    const glnn__gmm_class *class = &gmm->classes[c];
    const float samples = is_settled ? (float)class->samples : 0;
    gmm->settled[c] = (glnn__totals){
        .loss = samples > 0 ? samples * (float)class->loss : 0,
        .finite = samples,
        .samples = samples,
    };
}

glnn_status glnn__gmm_change(glnn__gmm *gmm,
                             glnn_status (*change)(glnn__gmm *gmm, const void *user),
                             const void *user)
{
    glnn__gmm_parameters before;
    glnn_status status = glnn__gmm_parameters_clone(&gmm->parameters, &before);
    if (!status) {
        glnn__gmm_parameters_changed(gmm);
        status = change(gmm, user);
    }
    if (status && before.weights) {
        glnn__gmm_parameters_copy(&before, &gmm->parameters);
        glnn__gmm_parameters_changed(gmm);
    }
    glnn__gmm_parameters_destroy(&before);
    return status;
}
