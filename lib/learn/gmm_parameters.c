/* The parameters of a mixture, and what passes need of them. */
#include "learn/gmm.h"

#include "base/status.h"
#include "learn/gmm_covariance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Stands for the logarithm of a weight of zero: no density comes near it. */
#define LEAST_WEIGHT 1e-30

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

/* The variance of component j along feature f. */
static double variance_of(const glnn_gmm *gmm, int j, int f)
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

/* The mean of the whole mixture along feature f. */
static double centre_of(const glnn_gmm *gmm, int f)
{
    const glnn__gmm_parameters *p = &gmm->parameters;
    double sum = 0;
    for (int j = 0; j < gmm->count; ++j)
        sum += (double)p->weights[j] * (double)p->means[size_of(j, gmm->desc.features) + (size_t)f];
    return sum;
}

double glnn__gmm_floor(const glnn_gmm *gmm)
{
    const glnn__gmm_parameters *p = &gmm->parameters;
    const int features = gmm->desc.features;
    double sum = 0;
    for (int f = 0; f < features; ++f) {
        const double centre = centre_of(gmm, f);
        for (int j = 0; j < gmm->count; ++j) {
            const double apart = (double)p->means[size_of(j, features) + (size_t)f] - centre;
            sum += (double)p->weights[j] * (variance_of(gmm, j, f) + apart * apart);
        }
    }
    return sum > 0 ? (double)gmm->desc.variance_floor * sum / features : FLOOR_WITHOUT_VARIANCE;
}

/* Host copies of the matrices that are made from the parameters, while they are made. */
typedef struct derived {
    float *offset, *factors, *quadratic, *constants, *means;
    double *lower, *inverse; /* FULL: features x features */
} derived;

static glnn_status derived_create(const glnn_gmm *gmm, derived *out)
{
    const int features = gmm->desc.features;
    const size_t factors = size_of(features + 1, gmm->count) * (size_t)gmm->wide;
    *out = (derived){
        .offset = malloc((size_t)features * sizeof(float)),
        .factors = calloc(factors, sizeof(float)),
        .quadratic = malloc(size_of(features, gmm->count) * sizeof(float)),
        .constants = malloc((size_t)gmm->count * sizeof(float)),
        .means = calloc(size_of(gmm->count, gmm->wide), sizeof(float)),
    };
    if (gmm->desc.covariance == GLNN_COVARIANCE_FULL) {
        out->lower = malloc(size_of(features, features) * sizeof(double));
        out->inverse = malloc(size_of(features, features) * sizeof(double));
    }
    const bool has_squares = out->lower && out->inverse;
    if (out->offset && out->factors && out->quadratic && out->constants && out->means &&
        (has_squares || gmm->desc.covariance != GLNN_COVARIANCE_FULL))
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory for the factors of %d covariances", gmm->count);
}

static void derived_destroy(derived *of)
{
    free(of->offset);
    free(of->factors);
    free(of->quadratic);
    free(of->constants);
    free(of->means);
    free(of->lower);
    free(of->inverse);
}

static double log_weight(const glnn_gmm *gmm, int j)
{
    return log(fmax((double)gmm->parameters.weights[j], LEAST_WEIGHT));
}

/* A mean less the offset, as passes see it. */
static float shifted_mean(const glnn_gmm *gmm, const derived *of, int j, int f)
{
    return gmm->parameters.means[size_of(j, gmm->desc.features) + (size_t)f] - of->offset[f];
}

static glnn_status derive_full(const glnn_gmm *gmm, int j, derived *of)
{
    const int n = gmm->desc.features;
    const size_t row = size_of(gmm->count, gmm->wide);
    const float *covariance = gmm->parameters.covariances + size_of(j, n * n);
    float *factors = of->factors + size_of(j, gmm->wide);
    for (int i = 0; i < n * n; ++i)
        of->lower[i] = (double)covariance[i];
    if (!glnn__cholesky(n, of->lower, of->lower))
        return glnn__fail(GLNN_E_DIVERGED,
                          "the covariance of component %d is not positive definite", j);
    glnn__invert_lower(n, of->lower, of->inverse);
    double constant = log_weight(gmm, j) - 0.5 * n * log(2 * acos(-1));
    for (int g = 0; g < n; ++g) {
        double projected = 0;
        for (int f = 0; f <= g; ++f) {
            const double factor = of->inverse[size_of(g, n) + (size_t)f];
            factors[(size_t)f * row + (size_t)g] = (float)factor;
            projected += factor * (double)shifted_mean(gmm, of, j, f);
        }
        factors[(size_t)n * row + (size_t)g] = (float)-projected;
        of->means[size_of(j, gmm->wide) + (size_t)g] = shifted_mean(gmm, of, j, g);
        constant -= log(of->lower[size_of(g, n) + (size_t)g]);
    }
    of->constants[j] = (float)constant;
    return GLNN_OK;
}

static void derive_diagonal(const glnn_gmm *gmm, int j, derived *of)
{
    const int n = gmm->desc.features;
    double constant = log_weight(gmm, j);
    for (int f = 0; f < n; ++f) {
        const double variance = variance_of(gmm, j, f);
        const double mean = (double)shifted_mean(gmm, of, j, f);
        of->quadratic[size_of(f, gmm->count) + (size_t)j] = (float)(-0.5 / variance);
        of->factors[size_of(f, gmm->count) + (size_t)j] = (float)(mean / variance);
        constant -= 0.5 * (log(2 * acos(-1) * variance) + mean * mean / variance);
    }
    of->factors[size_of(n, gmm->count) + (size_t)j] = (float)constant;
}

static glnn_status derive(const glnn_gmm *gmm, derived *of)
{
    for (int f = 0; f < gmm->desc.features; ++f)
        of->offset[f] = (float)centre_of(gmm, f);
    for (int j = 0; j < gmm->count; ++j) {
        if (gmm->desc.covariance == GLNN_COVARIANCE_FULL)
            GLNN__TRY(derive_full(gmm, j, of));
        else
            derive_diagonal(gmm, j, of);
    }
    return GLNN_OK;
}

static glnn_status upload(glnn_gmm *gmm, const derived *of)
{
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, gmm->offset, NULL, of->offset, 0));
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, gmm->factors, NULL, of->factors, 0));
    if (gmm->desc.covariance != GLNN_COVARIANCE_FULL)
        return glnn_matrix_upload(gmm->ctx, gmm->quadratic, NULL, of->quadratic, 0);
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, gmm->constants, NULL, of->constants, 0));
    return glnn_matrix_upload(gmm->ctx, gmm->means, NULL, of->means, 0);
}

glnn_status glnn__gmm_refresh(glnn_gmm *gmm)
{
    derived of;
    glnn_status status = derived_create(gmm, &of);
    if (!status)
        status = derive(gmm, &of);
    if (!status)
        status = upload(gmm, &of);
    derived_destroy(&of);
    return status;
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
        status = glnn__gmm_refresh(gmm);
        if (status)
            glnn__gmm_parameters_copy(gmm, &before, &gmm->parameters);
        else
            gmm->has_parameters = true;
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
