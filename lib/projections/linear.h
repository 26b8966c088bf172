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

/* The discriminants w of two scatters, S_b w = e S w, by descending e: S is symmetric (n x n), and
 * S_b the sum of b b' over `count` vectors b of length n. Both are overwritten. *values are the
 * square roots of the e, and *vectors the w: min(n, count) of both. *broken is 0, or counts from 1
 * the row at which S turns out not to be positive definite; there are no discriminants then.
 * Errors: E_DIVERGED, E_NOMEM. */
glnn_status glnn__linear_discriminants(const char *what, int n, int count, double *s, double *b,
                                       double *values, double *vectors, int *broken);

#endif
