/* Small symmetric matrices in double, dense and row-major: covariances and their factors. */
#ifndef GLNN__MIXTURES_COVARIANCE_H
#define GLNN__MIXTURES_COVARIANCE_H

#include <stdbool.h>
#include <stddef.h>

/* lower = L with L L' = matrix, of which the lower triangle is read; zeros above the diagonal.
 * False where the matrix is not positive definite. `lower` may be `matrix`. */
bool glnn__cholesky(int n, const double *matrix, double *lower);

/* inverse = L^-1, lower triangular. */
void glnn__invert_lower(int n, const double *lower, double *inverse);

/* Raises the eigenvalues of `matrix` that are below `floor` to it. `scratch` has room for as many
 * numbers as glnn__eigenvalue_scratch says. */
void glnn__raise_eigenvalues(int n, double floor, double *matrix, double *scratch);

static inline size_t glnn__eigenvalue_scratch(int n)
{
    return 2 * (size_t)n * ((size_t)n + 2);
}

#endif
