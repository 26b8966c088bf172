/* The parameters of a mixture, in main memory. The numbers of all passes follow from these floats,
 * so that a mixture from a file computes the same bits. */
#ifndef GLNN__MIXTURES_PARAMETERS_H
#define GLNN__MIXTURES_PARAMETERS_H

#include <glnn/gmm.h>

#include <stddef.h>

typedef struct glnn__gmm_parameters {
    glnn_covariance covariance;
    int count, features;
    int covariance_size; /* floats of one covariance */
    size_t size;         /* floats of all that follow, which stand one after the other */
    float *weights;      /* count                   */
    float *means;        /* count x features        */
    float *covariances;  /* count x covariance size */
} glnn__gmm_parameters;

static inline size_t glnn__gmm_size(int a, int b)
{
    return (size_t)a * (size_t)b;
}

/* Zeros. To be destroyed after failure too. Errors: E_NOMEM. */
glnn_status glnn__gmm_parameters_create(glnn_covariance covariance, int count, int features,
                                        glnn__gmm_parameters *out);
void glnn__gmm_parameters_destroy(glnn__gmm_parameters *parameters);

/* Copies to parameters of the same shape; to new ones. */
void glnn__gmm_parameters_copy(const glnn__gmm_parameters *from, glnn__gmm_parameters *to);
glnn_status glnn__gmm_parameters_clone(const glnn__gmm_parameters *from, glnn__gmm_parameters *out);

/* Takes arrays of the same shapes: weights are divided by their sum, and full covariances made
 * symmetric from their lower triangles. E_ARG: a number is out of range. */
glnn_status glnn__gmm_parameters_set(glnn__gmm_parameters *parameters, const float *weights,
                                     const float *means, const float *covariances);

/* The mean of some components along feature f, each by its weight. */
double glnn__gmm_centre(const glnn__gmm_parameters *of, int first, int count, int f);

/* The variance of component j along feature f. */
double glnn__gmm_variance(const glnn__gmm_parameters *of, int j, int f);

/* FULL: lower = L with L L' = the covariance of component j. E_DIVERGED: it is not positive
 * definite. */
glnn_status glnn__gmm_factor(const glnn__gmm_parameters *of, int j, double *lower);

/* `share` of the mean variance of the features. */
double glnn__gmm_floor(const glnn__gmm_parameters *of, float share);

/* Mean f of component j less an offset, as passes see it. */
static inline float glnn__gmm_shifted_mean(const glnn__gmm_parameters *of, int j, int f,
                                           float offset)
{
    return of->means[glnn__gmm_size(j, of->features) + (size_t)f] - offset;
}

#endif
