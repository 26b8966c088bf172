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
    float *offset;               /* features: what passes took from samples and means */
    double *covariance, *pooled; /* of a component, and the mean of all; as many numbers as a
                                     covariance has */
    double *scratch;             /* FULL: as eigenvalues need */
} sums;

static size_t elements_of(const glnn_matrix *matrix)
{
    return matrix ? glnn__gmm_size(matrix->rows, matrix->columns) : 0;
}

static glnn_status sums_create(const glnn__gmm *gmm, sums *out)
{
    const int n = gmm->desc.features;
    const bool is_full = gmm->desc.covariance == GLNN_COVARIANCE_FULL;
    *out = (sums){
        .first = is_full ? NULL : malloc(elements_of(gmm->sums.first) * sizeof(float)),
        .second = malloc(elements_of(gmm->sums.second) * sizeof(float)),
        .offset = malloc((size_t)n * sizeof(float)),
    };
    const size_t size = (size_t)gmm->parameters.covariance_size;
    out->covariance = malloc(size * sizeof(double));
    out->pooled = malloc(size * sizeof(double));
    if (is_full)
        out->scratch = malloc(glnn__eigenvalue_scratch(n) * sizeof(double));
    return out->second && out->offset && out->covariance && out->pooled &&
                   (is_full ? out->scratch != NULL : out->first != NULL)
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
    free(of->pooled);
    free(of->scratch);
}

/* The row that stands for ones, where the responsibilities alone begin in it. */
static const float *counts_of(const glnn__gmm *gmm, const sums *of)
{
    const int n = gmm->desc.features, components = gmm->desc.components;
    return of->first ? of->first + glnn__gmm_size(n, components + 1)
                     : of->second + glnn__gmm_size(n, gmm->sums.second->columns) +
                           glnn__gmm_size(components, gmm->own.wide);
}

/* The sums of component j with a full covariance. */
static const float *moments_of(const glnn__gmm *gmm, const sums *of, int j)
{
    return of->second + glnn__gmm_size(j % gmm->desc.components, gmm->own.wide);
}

/* S_j = sum r x (x - c)' - c (sum r (x - c))' over N, less the square of how far the mean moves
 * from its old place c. */
static void find_full(const glnn__gmm *gmm, int j, double samples, const sums *of)
{
    const int n = gmm->desc.features;
    const size_t row = (size_t)gmm->sums.second->columns;
    const float *second = moments_of(gmm, of, j), *moved = second + (size_t)n * row;
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

/* A sum of component j along a feature. */
static double sum_of(const glnn__gmm *gmm, const float *of, int j, int feature)
{
    const int components = gmm->desc.components;
    return (double)of[glnn__gmm_size(feature, components + 1) + (size_t)(j % components)];
}

/* A variance is the mean square less the square of the mean. */
static void find_variances(const glnn__gmm *gmm, int j, double samples, const sums *of)
{
    const int n = gmm->desc.features;
    const bool is_spherical = gmm->desc.covariance == GLNN_COVARIANCE_SPHERICAL;
    double total = 0;
    for (int f = 0; f < n; ++f) {
        const double mean = sum_of(gmm, of->first, j, f) / samples;
        const double variance = sum_of(gmm, of->second, j, f) / samples - mean * mean;
        if (!is_spherical)
            of->covariance[f] = variance;
        total += variance;
    }
    if (is_spherical)
        of->covariance[0] = total / n;
}

/* The most likely covariance of component j, in of->covariance. */
static void find_covariance(const glnn__gmm *gmm, int j, double samples, const sums *of)
{
    if (gmm->desc.covariance == GLNN_COVARIANCE_FULL)
        find_full(gmm, j, samples, of);
    else
        find_variances(gmm, j, samples, of);
}

/* The samples that the mean covariance of a class counts as in that of a component. */
static double shrinkage_of(const glnn__gmm *gmm)
{
    const bool shrinks =
        gmm->desc.shrinkage > 0 && gmm->desc.covariance != GLNN_COVARIANCE_SPHERICAL;
    return shrinks ? (double)gmm->desc.shrinkage * gmm->desc.features : 0;
}

/* A class of few samples has no reliable mean covariance either: it is drawn to its diagonal. */
static void shrink_pooled(const glnn__gmm *gmm, double samples, const sums *of)
{
    const int n = gmm->desc.features;
    const double factor = samples / (samples + shrinkage_of(gmm));
    for (int i = 0; i < n * n; ++i)
        of->pooled[i] *= i % (n + 1) == 0 ? 1 : factor;
}

/* The mean covariance of the components of a class, each by its samples. */
static void find_pooled(const glnn__gmm *gmm, int first, const float *counts, const sums *of)
{
    const int size = gmm->parameters.covariance_size;
    double sum = 0;
    memset(of->pooled, 0, (size_t)size * sizeof *of->pooled);
    for (int i = 0; i < gmm->desc.components; ++i) {
        const double samples = (double)counts[i];
        if (samples < LEAST_SAMPLES)
            continue;
        find_covariance(gmm, first + i, samples, of);
        sum += samples;
        for (int e = 0; e < size; ++e)
            of->pooled[e] += samples * of->covariance[e];
    }
    for (int e = 0; e < size; ++e)
        of->pooled[e] /= sum;
    if (gmm->desc.covariance == GLNN_COVARIANCE_FULL)
        shrink_pooled(gmm, sum, of);
}

static void shrink(const glnn__gmm *gmm, double samples, const sums *of)
{
    const double extra = shrinkage_of(gmm);
    for (int e = 0; extra > 0 && e < gmm->parameters.covariance_size; ++e)
        of->covariance[e] =
            (samples * of->covariance[e] + extra * of->pooled[e]) / (samples + extra);
}

static void raise_to_floor(const glnn__gmm *gmm, const sums *of)
{
    if (gmm->desc.covariance == GLNN_COVARIANCE_FULL)
        glnn__raise_eigenvalues(gmm->desc.features, gmm->floor, of->covariance, of->scratch);
    else
        for (int e = 0; e < gmm->parameters.covariance_size; ++e)
            of->covariance[e] = fmax(of->covariance[e], gmm->floor);
}

/* Where the mean moves, relative to the offset. Full covariances have sums relative to the old
 * mean. */
static double new_mean(const glnn__gmm *gmm, int j, int f, double samples, const sums *of)
{
    if (gmm->desc.covariance != GLNN_COVARIANCE_FULL)
        return sum_of(gmm, of->first, j, f) / samples;
    const float *moved =
        moments_of(gmm, of, j) + glnn__gmm_size(gmm->desc.features, gmm->sums.second->columns);
    const double old = (double)glnn__gmm_shifted_mean(&gmm->parameters, j, f, of->offset[f]);
    return old + (double)moved[f] / samples;
}

/* The covariance is found first, because its sums are relative to the old mean. */
static glnn_status maximise_component(glnn__gmm *gmm, int j, double samples, const sums *of)
{
    const int n = gmm->desc.features, size = gmm->parameters.covariance_size;
    float *covariance = gmm->parameters.covariances + glnn__gmm_size(j, size);
    find_covariance(gmm, j, samples, of);
    shrink(gmm, samples, of);
    raise_to_floor(gmm, of);
    for (int e = 0; e < size; ++e)
        covariance[e] = (float)of->covariance[e];
    for (int f = 0; f < n; ++f)
        gmm->parameters.means[glnn__gmm_size(j, n) + (size_t)f] =
            (float)((double)of->offset[f] + new_mean(gmm, j, f, samples, of));
    /* Rounding to float32 may cost a covariance its definiteness where the floor is low. */
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL
               ? glnn__gmm_factor(&gmm->parameters, j, of->scratch)
               : GLNN_OK;
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

static glnn_status maximise(glnn__gmm *gmm, int first, const sums *of)
{
    const float *counts = counts_of(gmm, of);
    double sum = 0;
    for (int i = 0; i < gmm->desc.components; ++i)
        sum += (double)counts[i];
    if (!isfinite(sum) || !(sum > 0))
        return glnn__fail(GLNN_E_DIVERGED, "the responsibilities of all samples sum to %g", sum);
    for (int f = 0; f < gmm->desc.features; ++f)
        of->offset[f] = (float)glnn__gmm_centre(&gmm->parameters, first, gmm->desc.components, f);
    if (shrinkage_of(gmm) > 0)
        find_pooled(gmm, first, counts, of);
    for (int i = 0; i < gmm->desc.components; ++i) {
        const double samples = (double)counts[i];
        if (samples < LEAST_SAMPLES)
            continue;
        GLNN__TRY(maximise_component(gmm, first + i, samples, of));
        GLNN__TRY(check_finite(&gmm->parameters, first + i));
    }
    return GLNN_OK;
}

/* The weights of a class sum to its share of the samples. Means are shifted by what they were, so
 * weights change after them. */
static void maximise_weights(glnn__gmm *gmm, int first, int samples, const float *counts)
{
    double sum = 0;
    for (int i = 0; i < gmm->desc.components; ++i)
        sum += (double)counts[i];
    for (int i = 0; i < gmm->desc.components; ++i)
        gmm->parameters.weights[first + i] =
            (float)((double)counts[i] / sum * samples / gmm->training_samples);
}

static bool gains_enough(const glnn__gmm *gmm, double before, double loss)
{
    return gmm->desc.tolerance < 0 || !(before - loss < (double)gmm->desc.tolerance);
}

/* The sums of class c, and what they make of its components. */
static glnn_status maximise_class(glnn__gmm *gmm, int c, sums *of)
{
    glnn__gmm_class *class = &gmm->classes[c];
    const int first = c * gmm->desc.components;
    if (class->samples == 0)
        memset(gmm->parameters.weights + first, 0, (size_t)gmm->desc.components * sizeof(float));
    if (!glnn__gmm_reading_exists(&class->reading))
        return GLNN_OK;
    GLNN__TRY(glnn__gmm_reading_take(&gmm->sums, &class->reading, of->first, of->second));
    GLNN__TRY(maximise(gmm, first, of));
    const float *counts = counts_of(gmm, of);
    maximise_weights(gmm, first, class->samples, counts);
    const double loss = -(double)counts[gmm->desc.components] / class->samples;
    const bool is_settled = !gains_enough(gmm, class->loss, loss);
    class->loss = loss;
    glnn__gmm_settle(gmm, c, is_settled);
    return GLNN_OK;
}

static glnn_status maximise_classes(glnn__gmm *gmm, const void *user)
{
    sums of;
    glnn_status status = sums_create(gmm, &of);
    (void)user;
    for (int c = 0; c < glnn__gmm_class_count(gmm) && !status; ++c)
        status = maximise_class(gmm, c, &of);
    sums_destroy(&of);
    return status;
}

glnn_status glnn__gmm_maximise(glnn__gmm *gmm)
{
    return glnn__gmm_change(gmm, maximise_classes, NULL);
}
