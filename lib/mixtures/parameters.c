#include "mixtures/parameters.h"

#include "base/status.h"
#include "mixtures/covariance.h"

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
        return glnn__fail(GLNN_E_NOMEM,
                          "no memory for the parameters of %d components of %d features", count,
                          features);
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

glnn_status glnn__gmm_factor(const glnn__gmm_parameters *of, int j, double *lower)
{
    const float *covariance = of->covariances + glnn__gmm_size(j, of->covariance_size);
    for (int i = 0; i < of->covariance_size; ++i)
        lower[i] = (double)covariance[i];
    if (glnn__cholesky(of->features, lower, lower))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED, "the covariance of component %d is not positive definite",
                      j);
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

double glnn__gmm_sum(const glnn__gmm_parameters *of, const float *weights)
{
    double sum = 0;
    for (int j = 0; j < of->count; ++j)
        sum += (double)weights[j];
    return sum;
}

glnn_status glnn__gmm_check_weights(const glnn__gmm_parameters *of, const float *weights)
{
    for (int j = 0; j < of->count; ++j)
        if (weights[j] < 0)
            return glnn__fail(GLNN_E_ARG,
                              "has a weight of %g for component %d; it may not be negative",
                              (double)weights[j], j);
    return glnn__gmm_sum(of, weights) > 0 ? GLNN_OK
                                          : glnn__fail(GLNN_E_ARG, "has no weight above 0");
}

void glnn__gmm_set_weights(glnn__gmm_parameters *of, const float *weights)
{
    const double sum = glnn__gmm_sum(of, weights), scale = fabs(sum - 1) > SUM_TOLERANCE ? sum : 1;
    for (int j = 0; j < of->count; ++j)
        of->weights[j] = (float)((double)weights[j] / scale);
}

static glnn_status check_definite(const glnn__gmm_parameters *of, const float *covariances)
{
    glnn__gmm_parameters given = *of;
    double *lower = malloc((size_t)of->covariance_size * sizeof *lower);
    glnn_status status = lower ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for a covariance");
    given.covariances = (float *)covariances; /* read only */
    for (int j = 0; j < of->count && !status; ++j)
        if (glnn__gmm_factor(&given, j, lower))
            status =
                glnn__fail(GLNN_E_ARG, "has one of component %d that is not positive definite", j);
    free(lower);
    return status;
}

glnn_status glnn__gmm_check_covariances(const glnn__gmm_parameters *of, const float *covariances)
{
    const size_t size = (size_t)of->covariance_size, all = (size_t)of->count * size;
    if (of->covariance == GLNN_COVARIANCE_FULL)
        return check_definite(of, covariances);
    for (size_t i = 0; i < all; ++i)
        if (!(covariances[i] > 0))
            return glnn__fail(GLNN_E_ARG, "has a variance of %g for component %zu",
                              (double)covariances[i], i / size);
    return GLNN_OK;
}

static void make_symmetric(int n, float *matrix)
{
    for (int f = 0; f < n; ++f)
        for (int g = f + 1; g < n; ++g)
            matrix[glnn__gmm_size(f, n) + (size_t)g] = matrix[glnn__gmm_size(g, n) + (size_t)f];
}

void glnn__gmm_set_covariances(glnn__gmm_parameters *of, const float *covariances)
{
    const int size = of->covariance_size;
    memcpy(of->covariances, covariances, glnn__gmm_size(of->count, size) * sizeof *covariances);
    for (int j = 0; j < of->count && of->covariance == GLNN_COVARIANCE_FULL; ++j)
        make_symmetric(of->features, of->covariances + glnn__gmm_size(j, size));
}
