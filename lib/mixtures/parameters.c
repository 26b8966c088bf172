/* The parameters of a mixture, and what passes need of them. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "train/preparation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least variance where all samples are equal. */
#define FLOOR_WITHOUT_VARIANCE 1e-6

/* Weights whose sum is as close to 1 as rounding leaves it are kept as they are. */
#define SUM_TOLERANCE 1e-5

static size_t size_of(int a, int b)
{
    return (size_t)a * (size_t)b;
}

int glnn_gmm_covariance_size(const glnn_gmm *gmm)
{
    if (!gmm)
        return 0;
    const int features = gmm->desc.features;
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL       ? features * features
           : gmm->desc.covariance == GLNN_COVARIANCE_DIAGONAL ? features
                                                              : 1;
}

glnn_status glnn__gmm_parameters_create(const glnn_gmm *gmm, glnn__gmm_parameters *out)
{
    out->weights = calloc((size_t)gmm->count, sizeof(float));
    out->means = calloc(size_of(gmm->count, gmm->desc.features), sizeof(float));
    out->covariances = calloc(size_of(gmm->count, glnn_gmm_covariance_size(gmm)), sizeof(float));
    if (out->weights && out->means && out->covariances)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory for the parameters of %d components", gmm->count);
}

void glnn__gmm_parameters_destroy(glnn__gmm_parameters *parameters)
{
    free(parameters->weights);
    free(parameters->means);
    free(parameters->covariances);
    *parameters = (glnn__gmm_parameters){0};
}

void glnn__gmm_parameters_copy(const glnn_gmm *gmm, const glnn__gmm_parameters *from,
                               glnn__gmm_parameters *to)
{
    memcpy(to->weights, from->weights, (size_t)gmm->count * sizeof(float));
    memcpy(to->means, from->means, size_of(gmm->count, gmm->desc.features) * sizeof(float));
    memcpy(to->covariances, from->covariances,
           size_of(gmm->count, glnn_gmm_covariance_size(gmm)) * sizeof(float));
}

double glnn__gmm_variance(const glnn_gmm *gmm, int j, int f)
{
    const float *of = gmm->parameters.covariances + size_of(j, glnn_gmm_covariance_size(gmm));
    switch (gmm->desc.covariance) {
    case GLNN_COVARIANCE_FULL:
        return (double)of[size_of(f, gmm->desc.features) + (size_t)f];
    case GLNN_COVARIANCE_DIAGONAL:
        return (double)of[f];
    default:
        return (double)of[0];
    }
}

double glnn__gmm_centre(const glnn_gmm *gmm, int first, int count, int f)
{
    const glnn__gmm_parameters *p = &gmm->parameters;
    double sum = 0, weight = 0, plain = 0;
    for (int j = first; j < first + count; ++j) {
        const double mean = (double)p->means[size_of(j, gmm->desc.features) + (size_t)f];
        sum += (double)p->weights[j] * mean;
        weight += (double)p->weights[j];
        plain += mean;
    }
    return weight > 0 ? sum / weight : plain / count;
}

double glnn__gmm_floor(const glnn_gmm *gmm)
{
    const glnn__gmm_parameters *p = &gmm->parameters;
    const int features = gmm->desc.features;
    double sum = 0;
    for (int f = 0; f < features; ++f) {
        const double centre = glnn__gmm_centre(gmm, 0, gmm->count, f);
        for (int j = 0; j < gmm->count; ++j) {
            const double apart = (double)p->means[size_of(j, features) + (size_t)f] - centre;
            sum += (double)p->weights[j] * (glnn__gmm_variance(gmm, j, f) + apart * apart);
        }
    }
    return sum > 0 ? (double)gmm->desc.variance_floor * sum / features : FLOOR_WITHOUT_VARIANCE;
}

glnn_status glnn_gmm_get_parameters(const glnn_gmm *gmm, float *weights, float *means,
                                    float *covariances)
{
    if (!gmm)
        return glnn__fail(GLNN_E_ARG, "glnn_gmm_get_parameters: the mixture is null");
    if (!gmm->has_parameters)
        return glnn__fail(GLNN_E_STATE, "glnn_gmm_get_parameters: the mixture has none yet");
    const glnn__gmm_parameters *p = &gmm->parameters;
    if (weights)
        memcpy(weights, p->weights, (size_t)gmm->count * sizeof *weights);
    if (means)
        memcpy(means, p->means, size_of(gmm->count, gmm->desc.features) * sizeof *means);
    if (covariances)
        memcpy(covariances, p->covariances,
               size_of(gmm->count, glnn_gmm_covariance_size(gmm)) * sizeof *covariances);
    return GLNN_OK;
}

static glnn_status check_weights(const glnn_gmm *gmm, const float *weights, double *sum)
{
    *sum = 0;
    for (int j = 0; j < gmm->count; ++j) {
        if (!(weights[j] >= 0) || !isfinite(weights[j]))
            return glnn__fail(GLNN_E_ARG, "the weight of component %d is %g", j,
                              (double)weights[j]);
        *sum += (double)weights[j];
    }
    return *sum > 0 ? GLNN_OK : glnn__fail(GLNN_E_ARG, "no component has a weight above 0");
}

static glnn_status check_component(const glnn_gmm *gmm, int j, const float *means,
                                   const float *covariances)
{
    const int features = gmm->desc.features, size = glnn_gmm_covariance_size(gmm);
    for (int f = 0; f < features; ++f)
        if (!isfinite(means[size_of(j, features) + (size_t)f]))
            return glnn__fail(GLNN_E_ARG, "the mean of component %d is %g in feature %d", j,
                              (double)means[size_of(j, features) + (size_t)f], f);
    for (int i = 0; i < size; ++i) {
        const float value = covariances[size_of(j, size) + (size_t)i];
        const bool is_variance = gmm->desc.covariance != GLNN_COVARIANCE_FULL;
        if (!isfinite(value) || (is_variance && !(value > 0)))
            return glnn__fail(GLNN_E_ARG, "the covariance of component %d has a %s of %g", j,
                              is_variance ? "variance" : "number", (double)value);
    }
    return GLNN_OK;
}

/* A full covariance is made symmetric from its lower triangle. */
static void take_parameters(glnn_gmm *gmm, double sum, const float *weights, const float *means,
                            const float *covariances)
{
    const int n = gmm->desc.features;
    glnn__gmm_parameters *p = &gmm->parameters;
    const double scale = fabs(sum - 1) > SUM_TOLERANCE ? sum : 1;
    for (int j = 0; j < gmm->count; ++j)
        p->weights[j] = (float)((double)weights[j] / scale);
    memcpy(p->means, means, size_of(gmm->count, n) * sizeof *means);
    memcpy(p->covariances, covariances,
           size_of(gmm->count, glnn_gmm_covariance_size(gmm)) * sizeof *covariances);
    if (gmm->desc.covariance != GLNN_COVARIANCE_FULL)
        return;
    for (int j = 0; j < gmm->count; ++j) {
        float *of = p->covariances + size_of(j, n * n);
        for (int f = 0; f < n; ++f)
            for (int g = f + 1; g < n; ++g)
                of[size_of(f, n) + (size_t)g] = of[size_of(g, n) + (size_t)f];
    }
}

static glnn_status set_parameters(glnn_gmm *gmm, const float *weights, const float *means,
                                  const float *covariances)
{
    double sum;
    GLNN__TRY(check_weights(gmm, weights, &sum));
    for (int j = 0; j < gmm->count; ++j)
        GLNN__TRY(check_component(gmm, j, means, covariances));
    glnn__gmm_parameters before = {0};
    glnn_status status = glnn__gmm_parameters_create(gmm, &before);
    if (!status) {
        glnn__gmm_parameters_copy(gmm, &gmm->parameters, &before);
        take_parameters(gmm, sum, weights, means, covariances);
        glnn__gmm_parameters_changed(gmm);
        status = glnn__gmm_bank_load(gmm, 0, &gmm->all);
        if (status)
            glnn__gmm_parameters_copy(gmm, &before, &gmm->parameters);
        else
            gmm->has_parameters = gmm->all_is_current = true;
    }
    glnn__gmm_parameters_destroy(&before);
    /* Here the covariance is the caller's, not training's. */
    return status == GLNN_E_DIVERGED ? glnn__fail(GLNN_E_ARG, "%s", glnn_last_error()) : status;
}

glnn_status glnn_gmm_set_parameters(glnn_gmm *gmm, const float *weights, const float *means,
                                    const float *covariances)
{
    if (!gmm || !weights || !means || !covariances)
        return glnn__fail(GLNN_E_ARG, "glnn_gmm_set_parameters: an argument is null");
    GLNN__TRY(glnn__gl_enter(gmm->ctx));
    return glnn__gl_leave(gmm->ctx, set_parameters(gmm, weights, means, covariances));
}

glnn_status glnn_gmm_set_preparation(glnn_gmm *gmm, const glnn_preparation *preparation)
{
    if (!gmm)
        return glnn__fail(GLNN_E_ARG, "%s: the mixture is null", __func__);
    const glnn__prepared of = {
        .function = __func__, .inputs = gmm->desc.features, .outputs = gmm->desc.classes};
    return glnn__preparation_set(&of, preparation, &gmm->preparation);
}

const glnn_preparation *glnn_gmm_get_preparation(const glnn_gmm *gmm)
{
    return gmm ? glnn__preparation_get(&gmm->preparation) : NULL;
}
