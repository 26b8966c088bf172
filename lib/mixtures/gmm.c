/* Making and unmaking a mixture. */
#include "mixtures/gmm.h"

#include "base/names.h"
#include "base/status.h"
#include "data/check.h"
#include "gl/lifetime.h"
#include "ops/gemm/layout.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_EPOCHS    100
#define DEFAULT_CAPACITY  1024
#define DEFAULT_TOLERANCE 1e-3f
#define DEFAULT_FLOOR     1e-4f
#define DEFAULT_SHRINKAGE 1.0f
#define MOST_SHRINKAGE    1e6f

/* Below it the rounding of a covariance to float32 might cost it its definiteness. */
#define LEAST_FLOOR 1e-6f
#define MOST_FLOOR  0.5f

/* Responsibilities of a component are counted in float32. */
#define MAX_COMPONENTS (1 << 24)

static const char *const covariance_names[] = {
    [GLNN_COVARIANCE_FULL] = "full",
    [GLNN_COVARIANCE_DIAGONAL] = "diagonal",
    [GLNN_COVARIANCE_SPHERICAL] = "spherical",
};

GLNN__DEFINE_NAMES(glnn_covariance, covariance_names)

static glnn_status check_counts(const glnn_gmm_desc *desc)
{
    if (desc->features < 1 || desc->components < 1)
        return glnn__fail(GLNN_E_ARG,
                          "a mixture of %d components of %d features; there must be at least 1 of "
                          "each",
                          desc->components, desc->features);
    if (desc->classes < 0)
        return glnn__fail(GLNN_E_ARG, "a mixture for %d classes; they may not be negative",
                          desc->classes);
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

static glnn_status check_desc(const glnn_gmm_desc *desc)
{
    GLNN__TRY(glnn__check_choice("covariance", (int)desc->covariance, GLNN_COVARIANCE_COUNT));
    GLNN__TRY(check_counts(desc));
    if ((unsigned)desc->layout > GLNN_LAYOUT_UNPACKED)
        return glnn__fail(GLNN_E_ARG, "layout %s (%d) cannot be trained in",
                          glnn_layout_name(desc->layout), (int)desc->layout);
    if (desc->capacity < 0)
        return glnn__fail(GLNN_E_ARG, "a capacity of %d; it may not be negative", desc->capacity);
    if (desc->variance_floor != 0 &&
        !(desc->variance_floor >= LEAST_FLOOR && desc->variance_floor <= MOST_FLOOR))
        return glnn__fail(GLNN_E_ARG, "a variance floor of %g is not in [%g, %g]",
                          (double)desc->variance_floor, (double)LEAST_FLOOR, (double)MOST_FLOOR);
    if (!(isfinite(desc->shrinkage) && desc->shrinkage <= MOST_SHRINKAGE))
        return glnn__fail(GLNN_E_ARG, "a shrinkage of %g; it has to be finite and at most %g",
                          (double)desc->shrinkage, (double)MOST_SHRINKAGE);
    if (!isfinite(desc->tolerance))
        return glnn__fail(GLNN_E_ARG, "a tolerance of %g; it has to be finite",
                          (double)desc->tolerance);
    return GLNN_OK;
}

static void fill_defaults(glnn_gmm_desc *desc)
{
    if (desc->capacity == 0)
        desc->capacity = DEFAULT_CAPACITY;
    if (desc->tolerance == 0)
        desc->tolerance = DEFAULT_TOLERANCE;
    if (desc->variance_floor == 0)
        desc->variance_floor = DEFAULT_FLOOR;
    if (desc->shrinkage == 0)
        desc->shrinkage = DEFAULT_SHRINKAGE;
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
    learner->unset = "the mixture has no parameters yet; glnn_learner_initialise, "
                     "glnn_learner_train and glnn_gmm_set_parameters set them";
    learner->groups_classes = desc->classes > 0;
}

glnn_status glnn__gmm_build(void *self, const void *desc)
{
    glnn__gmm *gmm = self;
    GLNN__TRY(check_desc(desc));
    gmm->ctx = gmm->learner.ctx;
    gmm->desc = *(const glnn_gmm_desc *)desc;
    fill_defaults(&gmm->desc);
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

int glnn_gmm_get_count(const glnn_learner *learner)
{
    const glnn__gmm *gmm = glnn__gmm_of(learner);
    return gmm ? gmm->count : 0;
}

int glnn_gmm_get_covariance_size(const glnn_learner *learner)
{
    const glnn__gmm *gmm = glnn__gmm_of(learner);
    return gmm ? gmm->parameters.covariance_size : 0;
}

glnn_status glnn_gmm_get_parameters(const glnn_learner *learner, float *weights, float *means,
                                    float *covariances)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_GMM);
    const glnn__gmm *gmm = glnn__gmm_of(learner);
    GLNN__TRY(glnn__fail_in(__func__, glnn__learner_check_set(learner)));
    const glnn__gmm_parameters *p = &gmm->parameters;
    const size_t count = (size_t)gmm->count;
    if (weights)
        memcpy(weights, p->weights, count * sizeof *weights);
    if (means)
        memcpy(means, p->means, count * (size_t)p->features * sizeof *means);
    if (covariances)
        memcpy(covariances, p->covariances,
               count * (size_t)p->covariance_size * sizeof *covariances);
    return GLNN_OK;
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

/* A program's weights, means and covariances. */
static glnn_status set_parameters(glnn__gmm *gmm, const void *user)
{
    const float *const *given = user;
    GLNN__TRY(glnn__gmm_parameters_set(&gmm->parameters, given[0], given[1], given[2]));
    return glnn__gmm_bank_load(&gmm->all, 0);
}

glnn_status glnn_gmm_set_parameters(glnn_learner *learner, const float *weights, const float *means,
                                    const float *covariances)
{
    const float *const given[] = {weights, means, covariances};
    GLNN__OF_KIND(learner, GLNN_LEARNER_GMM);
    glnn__gmm *gmm = glnn__gmm_of(learner);
    GLNN__NOT_NULL(weights);
    GLNN__NOT_NULL(means);
    GLNN__NOT_NULL(covariances);
    GLNN__TRY(glnn__gl_enter(gmm->ctx));
    const glnn_status status =
        glnn__gl_leave(gmm->ctx, glnn__gmm_change(gmm, set_parameters, given));
    gmm->has_parameters = gmm->has_parameters || !status;
    /* Here the covariance is the caller's, not training's. */
    return status == GLNN_E_DIVERGED ? glnn__fail(GLNN_E_ARG, "%s", glnn_last_error()) : status;
}
