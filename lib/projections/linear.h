/* Dense linear algebra in double on the CPU, by LAPACK. Matrices are column-major, which for the
 * vectors of a set means one after the other. `what` begins the sentence of an error. */
#ifndef GLNN__PROJECTIONS_LINEAR_H
#define GLNN__PROJECTIONS_LINEAR_H

#include <glnn/base.h>

/* The `count` greatest eigenvalues of a symmetric n x n matrix, descending, and their vectors of
 * length 1, one after the other. `values` has room for n numbers; `a` is overwritten.
 * Errors: E_DIVERGED, E_NOMEM. */
glnn_status glnn__linear_eigen(const char *what, int n, int count, double *a, double *values,
                               double *vectors);

/* The lower triangle of `a` becomes L, where a = L L'. *broken is 0, or counts from 1 the row at
 * which `a` turns out not to be positive definite. Errors: E_NOMEM. */
glnn_status glnn__linear_cholesky(const char *what, int n, double *a, int *broken);

typedef enum glnn__triangle {
    GLNN__TRIANGLE_LOWER,     /* L   */
    GLNN__TRIANGLE_TRANSPOSED /* L'  */
} glnn__triangle;

/* Solves L x = b or L' x = b for `count` vectors b, in place. Errors: E_NOMEM. */
glnn_status glnn__linear_solve(const char *what, glnn__triangle triangle, int n, const double *l,
                               int count, double *b);

/* Multiplies a vector of length n by a factor. */
static inline void glnn__linear_scale(int n, double factor, double *vector)
{
    for (int i = 0; i < n; ++i)
        vector[i] *= factor;
}

/* The singular values of `count` vectors of length n as a matrix, descending, and the left singular
 * vectors: min(n, count) of both. `b` is overwritten. Errors: E_DIVERGED, E_NOMEM. */
glnn_status glnn__linear_singular(const char *what, int n, int count, double *b, double *values,
                                  double *vectors);

#endif
