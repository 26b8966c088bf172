/* Small symmetric matrices in double, dense and row-major: covariances and their factors. */
#ifndef GLNN__LEARN_GMM_COVARIANCE_H
#define GLNN__LEARN_GMM_COVARIANCE_H

#include <stdbool.h>

/* lower = L with L L' = matrix, of which the lower triangle is read; zeros above the diagonal. False
 * where the matrix is not positive definite. `lower` may be `matrix`. */
bool glnn__cholesky(int n, const double *matrix, double *lower);

/* inverse = L^-1, lower triangular. */
void glnn__invert_lower(int n, const double *lower, double *inverse);

/* Raises the eigenvalues of `matrix` that are below `floor` to it. `scratch` has room for two such
 * matrices. */
void glnn__raise_eigenvalues(int n, double floor, double *matrix, double *scratch);

#endif
