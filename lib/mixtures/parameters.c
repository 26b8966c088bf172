#include "mixtures/parameters.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least variance where all samples are equal. */
#define FLOOR_WITHOUT_VARIANCE 1e-6

/* Weights whose sum is as close to 1 as rounding leaves it are kept as they are. */
#define SUM_TOLERANCE 1e-5

glnn_status glnn__gmm_parameters_create(glnn_covariance covariance, int count, int features,
                                        glnn__gmm_parameters *out)
{
    const int size = covariance == GLNN_COVARIANCE_FULL       ? features * features
                     : covariance == GLNN_COVARIANCE_DIAGONAL ? features
                                                              : 1;
    *out = (glnn__gmm_parameters){
        .covariance = covariance,
        .count = count,
        .features = features,
        .covariance_size = size,
        .size = (size_t)count * (1 + (size_t)features + (size_t)size),
    };
    out->weights = calloc(out->size, sizeof(float));
    if (!out->weights)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the parameters of %d components", count);
    out->means = out->weights + count;
    out->covariances = out->means + glnn__gmm_size(count, features);
    return GLNN_OK;
}

void glnn__gmm_parameters_destroy(glnn__gmm_parameters *parameters)
{
    free(parameters->weights);
    *parameters = (glnn__gmm_parameters){0};
}

void glnn__gmm_parameters_copy(const glnn__gmm_parameters *from, glnn__gmm_parameters *to)
{
    memcpy(to->weights, from->weights, from->size * sizeof *to->weights);
}

glnn_status glnn__gmm_parameters_clone(const glnn__gmm_parameters *from, glnn__gmm_parameters *out)
{
    GLNN__TRY(glnn__gmm_parameters_create(from->covariance, from->count, from->features, out));
    glnn__gmm_parameters_copy(from, out);
    return GLNN_OK;
}

double glnn__gmm_variance(const glnn__gmm_parameters *of, int j, int f)
{
    const int place = of->covariance == GLNN_COVARIANCE_FULL       ? f * (of->features + 1)
                      : of->covariance == GLNN_COVARIANCE_DIAGONAL ? f
                                                                   : 0;
    return (double)of->covariances[glnn__gmm_size(j, of->covariance_size) + (size_t)place];
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
    const int size = of->covariance_size;
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
    const int count = parameters->count, size = parameters->covariance_size;
    double sum;
    GLNN__TRY(check_weights(count, weights, &sum));
    for (int j = 0; j < count; ++j)
        GLNN__TRY(check_component(parameters, j, means, covariances));
    const double scale = fabs(sum - 1) > SUM_TOLERANCE ? sum : 1;
    for (int j = 0; j < count; ++j)
        parameters->weights[j] = (float)((double)weights[j] / scale);
    memcpy(parameters->means, means, glnn__gmm_size(count, parameters->features) * sizeof *means);
    memcpy(parameters->covariances, covariances, glnn__gmm_size(count, size) * sizeof *covariances);
    for (int j = 0; j < count && parameters->covariance == GLNN_COVARIANCE_FULL; ++j)
        make_symmetric(parameters->features, parameters->covariances + glnn__gmm_size(j, size));
    return GLNN_OK;
}
