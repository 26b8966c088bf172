/* The parameters that fit an epoch's sums best, in double. */
#include "learn/gmm.h"

#include "base/status.h"
#include "learn/gmm_covariance.h"

#include <math.h>
#include <stdlib.h>

/* A component with less of the samples than this keeps its mean and covariance: quotients of its sums
 * would be noise. */
#define LEAST_SAMPLES 1e-3

/* An epoch's sums in main memory, and room to work in. */
typedef struct sums {
    float *first;  /* (features + 1) x count                                              */
    float *second; /* FULL: (features + 1) x count wide, else features x count            */
    float *offset; /* features                                                            */
    float *means;  /* FULL: count x wide: the old ones less the offset, as passes saw them */
    double *covariance, *scratch; /* FULL: features x features, and twice that            */
    double samples;
} sums;

static size_t size_of(int a, int b)
{
    return (size_t)a * (size_t)b;
}

static glnn_status sums_create(const glnn_gmm *gmm, sums *out)
{
    const int n = gmm->desc.features;
    *out = (sums){
        .first = malloc(size_of(n + 1, gmm->count) * sizeof(float)),
        .second = malloc(size_of(n + 1, gmm->count) * (size_t)gmm->wide * sizeof(float)),
        .offset = malloc((size_t)n * sizeof(float)),
    };
    bool has_all = out->first && out->second && out->offset;
    if (gmm->desc.covariance == GLNN_COVARIANCE_FULL) {
        out->means = malloc(size_of(gmm->count, gmm->wide) * sizeof(float));
        out->covariance = malloc(size_of(n, n) * sizeof(double));
        out->scratch = malloc(2 * size_of(n, n) * sizeof(double));
        has_all = has_all && out->means && out->covariance && out->scratch;
    }
    return has_all
               ? GLNN_OK
               : glnn__fail(GLNN_E_NOMEM, "no memory for the sums of %d components", gmm->count);
}

static void sums_destroy(sums *of)
{
    free(of->first);
    free(of->second);
    free(of->offset);
    free(of->means);
    free(of->covariance);
    free(of->scratch);
}

static glnn_status download(const glnn_gmm *gmm, sums *of)
{
    GLNN__TRY(glnn_matrix_download(gmm->ctx, gmm->first, NULL, of->first, 0));
    GLNN__TRY(glnn_matrix_download(gmm->ctx, gmm->second, NULL, of->second, 0));
    GLNN__TRY(glnn_matrix_download(gmm->ctx, gmm->offset, NULL, of->offset, 0));
    if (gmm->means)
        GLNN__TRY(glnn_matrix_download(gmm->ctx, gmm->means, NULL, of->means, 0));
    return GLNN_OK;
}

static double first_of(const glnn_gmm *gmm, const sums *of, int j, int f)
{
    return (double)of->first[size_of(f, gmm->count) + (size_t)j];
}

/* S_j = sum r x (x - c)' - c (sum r (x - c))' over N, less the square of how far the mean moves from
 * its old place c. */
static void maximise_full(glnn_gmm *gmm, int j, double samples, sums *of)
{
    const int n = gmm->desc.features;
    const size_t row = size_of(gmm->count, gmm->wide);
    const float *second = of->second + size_of(j, gmm->wide);
    const float *moved = second + (size_t)n * row;
    const float *old = of->means + size_of(j, gmm->wide);
    for (int f = 0; f < n; ++f)
        for (int g = 0; g < n; ++g) {
            const double product =
                (double)second[(size_t)f * row + (size_t)g] - (double)old[f] * (double)moved[g];
            of->covariance[size_of(f, n) + (size_t)g] =
                product / samples - (double)moved[f] / samples * ((double)moved[g] / samples);
        }
    for (int f = 0; f < n; ++f)
        for (int g = 0; g < f; ++g) {
            double *lower = &of->covariance[size_of(f, n) + (size_t)g];
            double *upper = &of->covariance[size_of(g, n) + (size_t)f];
            *lower = *upper = 0.5 * (*lower + *upper);
        }
    glnn__raise_eigenvalues(n, gmm->floor, of->covariance, of->scratch);
    float *covariance = gmm->parameters.covariances + size_of(j, n * n);
    for (int i = 0; i < n * n; ++i)
        covariance[i] = (float)of->covariance[i];
    for (int f = 0; f < n; ++f)
        gmm->parameters.means[size_of(j, n) + (size_t)f] =
            (float)((double)of->offset[f] + (double)old[f] + (double)moved[f] / samples);
}

/* A variance is the mean square less the square of the mean. */
static void maximise_diagonal(glnn_gmm *gmm, int j, double samples, const sums *of)
{
    const int n = gmm->desc.features;
    const bool is_spherical = gmm->desc.covariance == GLNN_COVARIANCE_SPHERICAL;
    float *covariance = gmm->parameters.covariances + size_of(j, glnn_gmm_covariance_size(gmm));
    double total = 0;
    for (int f = 0; f < n; ++f) {
        const double mean = first_of(gmm, of, j, f) / samples;
        const double square = (double)of->second[size_of(f, gmm->count) + (size_t)j] / samples;
        const double variance = square - mean * mean;
        gmm->parameters.means[size_of(j, n) + (size_t)f] = (float)((double)of->offset[f] + mean);
        if (!is_spherical)
            covariance[f] = (float)fmax(variance, gmm->floor);
        total += variance;
    }
    if (is_spherical)
        covariance[0] = (float)fmax(total / n, gmm->floor);
}

static glnn_status maximise(glnn_gmm *gmm, sums *of)
{
    const int n = gmm->desc.features;
    for (int j = 0; j < gmm->count; ++j)
        of->samples += first_of(gmm, of, j, n);
    if (!isfinite(of->samples) || !(of->samples > 0))
        return glnn__fail(GLNN_E_DIVERGED, "the responsibilities of all samples sum to %g",
                          of->samples);
    for (int j = 0; j < gmm->count; ++j) {
        const double samples = first_of(gmm, of, j, n);
        gmm->parameters.weights[j] = (float)(samples / of->samples);
        if (samples < LEAST_SAMPLES)
            continue;
        if (gmm->desc.covariance == GLNN_COVARIANCE_FULL)
            maximise_full(gmm, j, samples, of);
        else
            maximise_diagonal(gmm, j, samples, of);
    }
    return glnn__gmm_refresh(gmm);
}

/* The parameters stay as they are where the new ones cannot be used. */
static glnn_status maximise_or_keep(glnn_gmm *gmm, sums *of)
{
    glnn__gmm_parameters before = {0};
    glnn_status status = glnn__gmm_parameters_create(gmm, &before);
    if (!status) {
        glnn__gmm_parameters_copy(gmm, &gmm->parameters, &before);
        status = maximise(gmm, of);
        if (status)
            glnn__gmm_parameters_copy(gmm, &before, &gmm->parameters);
    }
    glnn__gmm_parameters_destroy(&before);
    return status;
}

glnn_status glnn__gmm_maximise(glnn_gmm *gmm)
{
    sums of;
    glnn_status status = sums_create(gmm, &of);
    if (!status)
        status = download(gmm, &of);
    if (!status)
        status = maximise_or_keep(gmm, &of);
    sums_destroy(&of);
    return status;
}
