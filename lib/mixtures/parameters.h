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

/* Take arrays of finite numbers. Weights are divided by their sum, and full covariances made
 * symmetric from their lower triangles. The checks fail with E_ARG; their sentences continue the
 * name of the array. */
glnn_status glnn__gmm_check_weights(const glnn__gmm_parameters *of, const float *weights);
glnn_status glnn__gmm_check_covariances(const glnn__gmm_parameters *of, const float *covariances);
void glnn__gmm_set_weights(glnn__gmm_parameters *of, const float *weights);
void glnn__gmm_set_covariances(glnn__gmm_parameters *of, const float *covariances);

/* The sum of the weights of all components. */
double glnn__gmm_sum(const glnn__gmm_parameters *of, const float *weights);

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
