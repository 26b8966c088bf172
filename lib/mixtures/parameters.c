#include "mixtures/parameters.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least variance where all samples are equal. */
#define FLOOR_WITHOUT_VARIANCE 1e-6

/* Weights whose sum is as close to 1 as rounding leaves it are kept as they are. */
#define SUM_TOLERANCE 1e-5

int glnn__gmm_covariance_size(const glnn__gmm_parameters *of)
{
    return of->covariance == GLNN_COVARIANCE_FULL       ? of->features * of->features
           : of->covariance == GLNN_COVARIANCE_DIAGONAL ? of->features
                                                        : 1;
}

glnn_status glnn__gmm_parameters_create(glnn_covariance covariance, int count, int features,
                                        glnn__gmm_parameters *out)
{
    *out = (glnn__gmm_parameters){covariance, count, features, NULL, NULL, NULL};
    out->weights = calloc((size_t)count, sizeof(float));
    out->means = calloc(glnn__gmm_size(count, features), sizeof(float));
    out->covariances = calloc(glnn__gmm_size(count, glnn__gmm_covariance_size(out)), sizeof(float));
    if (out->weights && out->means && out->covariances)
        return GLNN_OK;
    return glnn__fail(GLNN_E_NOMEM, "no memory for the parameters of %d components", count);
}

void glnn__gmm_parameters_destroy(glnn__gmm_parameters *parameters)
{
    free(parameters->weights);
    free(parameters->means);
    free(parameters->covariances);
    *parameters = (glnn__gmm_parameters){0};
}

void glnn__gmm_parameters_copy(const glnn__gmm_parameters *from, glnn__gmm_parameters *to)
{
    const size_t covariances = glnn__gmm_size(from->count, glnn__gmm_covariance_size(from));
    memcpy(to->weights, from->weights, (size_t)from->count * sizeof(float));
    memcpy(to->means, from->means, glnn__gmm_size(from->count, from->features) * sizeof(float));
    memcpy(to->covariances, from->covariances, covariances * sizeof(float));
}

glnn_status glnn__gmm_parameters_clone(const glnn__gmm_parameters *from, glnn__gmm_parameters *out)
{
    GLNN__TRY(glnn__gmm_parameters_create(from->covariance, from->count, from->features, out));
    glnn__gmm_parameters_copy(from, out);
    return GLNN_OK;
}

double glnn__gmm_variance(const glnn__gmm_parameters *of, int j, int f)
{
    const float *covariance = of->covariances + glnn__gmm_size(j, glnn__gmm_covariance_size(of));
    switch (of->covariance) {
    case GLNN_COVARIANCE_FULL:
        return (double)covariance[glnn__gmm_size(f, of->features) + (size_t)f];
    case GLNN_COVARIANCE_DIAGONAL:
        return (double)covariance[f];
    default:
        return (double)covariance[0];
    }
}

double glnn__gmm_centre(const glnn__gmm_parameters *of, int first, int count, int f)
{
    double sum = 0, weight = 0, plain = 0;
    for (int j = first; j < first + count; ++j) {
        const double mean = (double)glnn__gmm_shifted_mean(of, j, f, 0);
        sum += (double)of->weights[j] * mean;
        weight += (double)of->weights[j];
        plain += mean;
    }
    return weight > 0 ? sum / weight : plain / count;
}

double glnn__gmm_floor(const glnn__gmm_parameters *of, float share)
{
    double sum = 0;
    for (int f = 0; f < of->features; ++f) {
        const double centre = glnn__gmm_centre(of, 0, of->count, f);
        for (int j = 0; j < of->count; ++j) {
            const double apart = (double)glnn__gmm_shifted_mean(of, j, f, 0) - centre;
            sum += (double)of->weights[j] * (glnn__gmm_variance(of, j, f) + apart * apart);
        }
    }
    return sum > 0 ? (double)share * sum / of->features : FLOOR_WITHOUT_VARIANCE;
}

static glnn_status check_weights(int count, const float *weights, double *sum)
{
    *sum = 0;
    for (int j = 0; j < count; ++j) {
        if (!(weights[j] >= 0) || !isfinite(weights[j]))
            return glnn__fail(GLNN_E_ARG, "the weight of component %d is %g", j,
                              (double)weights[j]);
        *sum += (double)weights[j];
    }
    return *sum > 0 ? GLNN_OK : glnn__fail(GLNN_E_ARG, "no component has a weight above 0");
}

static glnn_status check_component(const glnn__gmm_parameters *of, int j, const float *means,
                                   const float *covariances)
{
    const int size = glnn__gmm_covariance_size(of);
    for (int f = 0; f < of->features; ++f) {
        const float mean = means[glnn__gmm_size(j, of->features) + (size_t)f];
        if (!isfinite(mean))
            return glnn__fail(GLNN_E_ARG, "the mean of component %d is %g in feature %d", j,
                              (double)mean, f);
    }
    for (int i = 0; i < size; ++i) {
        const float value = covariances[glnn__gmm_size(j, size) + (size_t)i];
        const bool is_variance = of->covariance != GLNN_COVARIANCE_FULL;
        if (!isfinite(value) || (is_variance && !(value > 0)))
            return glnn__fail(GLNN_E_ARG, "the covariance of component %d has a %s of %g", j,
                              is_variance ? "variance" : "number", (double)value);
    }
    return GLNN_OK;
}

static void make_symmetric(int n, float *matrix)
{
    for (int f = 0; f < n; ++f)
        for (int g = f + 1; g < n; ++g)
            matrix[glnn__gmm_size(f, n) + (size_t)g] = matrix[glnn__gmm_size(g, n) + (size_t)f];
}

glnn_status glnn__gmm_parameters_set(glnn__gmm_parameters *parameters, const float *weights,
                                     const float *means, const float *covariances)
{
    glnn__gmm_parameters given = *parameters;
    double sum;
    GLNN__TRY(check_weights(given.count, weights, &sum));
    for (int j = 0; j < given.count; ++j)
        GLNN__TRY(check_component(parameters, j, means, covariances));
    const size_t size = (size_t)glnn__gmm_covariance_size(parameters);
    const double scale = fabs(sum - 1) > SUM_TOLERANCE ? sum : 1;
    for (int j = 0; j < given.count; ++j)
        given.weights[j] = (float)((double)weights[j] / scale);
    memcpy(given.means, means, glnn__gmm_size(given.count, given.features) * sizeof *means);
    memcpy(given.covariances, covariances, (size_t)given.count * size * sizeof *covariances);
    for (int j = 0; j < given.count && given.covariance == GLNN_COVARIANCE_FULL; ++j)
        make_symmetric(given.features, given.covariances + (size_t)j * size);
    return GLNN_OK;
}
