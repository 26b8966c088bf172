#include "mixtures/gmm.h"

#include "base/status.h"
#include "mixtures/covariance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A component with less of the samples than this keeps its mean and covariance: quotients of its
 * sums would be noise. */
#define LEAST_SAMPLES 1e-3

/* The sums of a class in main memory, and room to work in. */
typedef struct sums {
    float *first; /* as of gmm->sums */
    float *second;
    float *offset;                /* features: what passes took from samples and means */
    double *covariance, *scratch; /* FULL: features x features, and what eigenvalues need */
} sums;

static size_t elements_of(const glnn_matrix *matrix)
{
    return matrix ? glnn__gmm_size(matrix->rows, matrix->columns) : 0;
}

static glnn_status sums_create(const glnn_gmm *gmm, sums *out)
{
    const int n = gmm->desc.features;
    const bool is_full = gmm->desc.covariance == GLNN_COVARIANCE_FULL;
    *out = (sums){
        .first = is_full ? NULL : malloc(elements_of(gmm->sums.first) * sizeof(float)),
        .second = malloc(elements_of(gmm->sums.second) * sizeof(float)),
        .offset = malloc((size_t)n * sizeof(float)),
    };
    bool has_all = out->second && out->offset;
    if (is_full) {
        out->covariance = malloc(glnn__gmm_size(n, n) * sizeof(double));
        out->scratch = malloc(glnn__eigenvalue_scratch(n) * sizeof(double));
        has_all = has_all && out->covariance && out->scratch;
    }
    return has_all && (is_full || out->first)
               ? GLNN_OK
               : glnn__fail(GLNN_E_NOMEM, "no memory for the sums of %d components",
                            gmm->desc.components);
}

static void sums_destroy(sums *of)
{
    free(of->first);
    free(of->second);
    free(of->offset);
    free(of->covariance);
    free(of->scratch);
}

/* The row that stands for ones, where the responsibilities alone begin in it. */
static const float *counts_of(const glnn_gmm *gmm, const sums *of)
{
    const int n = gmm->desc.features, components = gmm->desc.components;
    return of->first ? of->first + glnn__gmm_size(n, components + 1)
                     : of->second + glnn__gmm_size(n, gmm->sums.second->columns) +
                           glnn__gmm_size(components, gmm->own.wide);
}

/* S_j = sum r x (x - c)' - c (sum r (x - c))' over N, less the square of how far the mean moves
 * from its old place c. */
static void find_covariance(const glnn_gmm *gmm, int j, double samples, const float *second,
                            const sums *of)
{
    const int n = gmm->desc.features;
    const size_t row = (size_t)gmm->sums.second->columns;
    const float *moved = second + (size_t)n * row;
    for (int f = 0; f < n; ++f) {
        const double old = (double)glnn__gmm_shifted_mean(&gmm->parameters, j, f, of->offset[f]);
        for (int g = 0; g < n; ++g) {
            const double product =
                (double)second[(size_t)f * row + (size_t)g] - old * (double)moved[g];
            of->covariance[glnn__gmm_size(f, n) + (size_t)g] =
                product / samples - (double)moved[f] / samples * ((double)moved[g] / samples);
        }
    }
    for (int f = 0; f < n; ++f)
        for (int g = 0; g < f; ++g) {
            double *lower = &of->covariance[glnn__gmm_size(f, n) + (size_t)g];
            double *upper = &of->covariance[glnn__gmm_size(g, n) + (size_t)f];
            *lower = *upper = 0.5 * (*lower + *upper);
        }
}

static glnn_status maximise_full(glnn_gmm *gmm, int j, double samples, const sums *of)
{
    const int n = gmm->desc.features;
    const float *second = of->second + glnn__gmm_size(j % gmm->desc.components, gmm->own.wide);
    const float *moved = second + glnn__gmm_size(n, gmm->sums.second->columns);
    find_covariance(gmm, j, samples, second, of);
    glnn__raise_eigenvalues(n, gmm->floor, of->covariance, of->scratch);
    float *covariance = gmm->parameters.covariances + glnn__gmm_size(j, n * n);
    for (int i = 0; i < n * n; ++i)
        covariance[i] = (float)of->covariance[i];
    for (int f = 0; f < n; ++f) {
        const double old = (double)glnn__gmm_shifted_mean(&gmm->parameters, j, f, of->offset[f]);
        gmm->parameters.means[glnn__gmm_size(j, n) + (size_t)f] =
            (float)((double)of->offset[f] + old + (double)moved[f] / samples);
    }
    /* Rounding to float32 may cost a covariance its definiteness where the floor is low. */
    return glnn__gmm_factor(&gmm->parameters, j, of->scratch);
}

/* A variance is the mean square less the square of the mean. */
static void maximise_diagonal(glnn_gmm *gmm, int j, double samples, const sums *of)
{
    const int n = gmm->desc.features, columns = gmm->desc.components + 1;
    const size_t column = (size_t)(j % gmm->desc.components);
    const bool is_spherical = gmm->desc.covariance == GLNN_COVARIANCE_SPHERICAL;
    float *covariance =
        gmm->parameters.covariances + glnn__gmm_size(j, gmm->parameters.covariance_size);
    double total = 0;
    for (int f = 0; f < n; ++f) {
        const double mean = (double)of->first[glnn__gmm_size(f, columns) + column] / samples;
        const double square = (double)of->second[glnn__gmm_size(f, columns) + column] / samples;
        const double variance = square - mean * mean;
        gmm->parameters.means[glnn__gmm_size(j, n) + (size_t)f] =
            (float)((double)of->offset[f] + mean);
        if (!is_spherical)
            covariance[f] = (float)fmax(variance, gmm->floor);
        total += variance;
    }
    if (is_spherical)
        covariance[0] = (float)fmax(total / n, gmm->floor);
}

/* Sums over many samples overflow where no density does. */
static glnn_status check_finite(const glnn__gmm_parameters *of, int j)
{
    const int n = of->features, size = of->covariance_size;
    for (int i = 0; i < n + size; ++i) {
        const float value = i < n ? of->means[glnn__gmm_size(j, n) + (size_t)i]
                                  : of->covariances[glnn__gmm_size(j, size) + (size_t)(i - n)];
        if (!isfinite(value))
            return glnn__fail(GLNN_E_DIVERGED,
                              "number %d of the %s of component %d is %g; smaller inputs "
                              "may help",
                              i < n ? i : i - n, i < n ? "mean" : "covariance", j, (double)value);
    }
    return GLNN_OK;
}

static glnn_status maximise(glnn_gmm *gmm, int first, const sums *of)
{
    const float *counts = counts_of(gmm, of);
    double sum = 0;
    for (int i = 0; i < gmm->desc.components; ++i)
        sum += (double)counts[i];
    if (!isfinite(sum) || !(sum > 0))
        return glnn__fail(GLNN_E_DIVERGED, "the responsibilities of all samples sum to %g", sum);
    for (int f = 0; f < gmm->desc.features; ++f)
        of->offset[f] = (float)glnn__gmm_centre(&gmm->parameters, first, gmm->desc.components, f);
    for (int i = 0; i < gmm->desc.components; ++i) {
        const double samples = (double)counts[i];
        if (samples < LEAST_SAMPLES)
            continue;
        if (gmm->desc.covariance == GLNN_COVARIANCE_FULL)
            GLNN__TRY(maximise_full(gmm, first + i, samples, of));
        else
            maximise_diagonal(gmm, first + i, samples, of);
        GLNN__TRY(check_finite(&gmm->parameters, first + i));
    }
    return GLNN_OK;
}

/* The weights of a class sum to its share of the samples. Means are shifted by what they were, so
 * weights change after them. */
static void maximise_weights(glnn_gmm *gmm, int first, int samples, const float *counts)
{
    double sum = 0;
    for (int i = 0; i < gmm->desc.components; ++i)
        sum += (double)counts[i];
    for (int i = 0; i < gmm->desc.components; ++i)
        gmm->parameters.weights[first + i] =
            (float)((double)counts[i] / sum * samples / gmm->training_samples);
}

static bool gains_enough(const glnn_gmm *gmm, double before, double loss)
{
    return gmm->desc.tolerance < 0 || !(before - loss < (double)gmm->desc.tolerance);
}

/* The sums of class c, and what they make of its components. */
static glnn_status maximise_class(glnn_gmm *gmm, int c, sums *of)
{
    glnn__gmm_class *class = &gmm->classes[c];
    const int first = c * gmm->desc.components;
    if (class->samples == 0)
        memset(gmm->parameters.weights + first, 0, (size_t)gmm->desc.components * sizeof(float));
    if (!glnn__gmm_reading_exists(&class->reading))
        return GLNN_OK;
    GLNN__TRY(glnn__gmm_reading_sum(&gmm->sums, &class->reading, gmm->trained.exchange));
    GLNN__TRY(glnn__gmm_reading_take(&gmm->sums, &class->reading, of->first, of->second));
    GLNN__TRY(maximise(gmm, first, of));
    const float *counts = counts_of(gmm, of);
    maximise_weights(gmm, first, class->samples, counts);
    const double loss = -(double)counts[gmm->desc.components] / class->samples;
    class->is_settled = !gains_enough(gmm, class->loss, loss);
    class->loss = loss;
    return GLNN_OK;
}

static glnn_status maximise_classes(glnn_gmm *gmm, const void *user)
{
    sums of;
    glnn_status status = sums_create(gmm, &of);
    (void)user;
    for (int c = 0; c < glnn__gmm_class_count(gmm) && !status; ++c)
        status = maximise_class(gmm, c, &of);
    sums_destroy(&of);
    return status;
}

glnn_status glnn__gmm_maximise(glnn_gmm *gmm)
{
    return glnn__gmm_change(gmm, maximise_classes, NULL);
}
