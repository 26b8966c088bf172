/* Dense linear algebra in double precision on the CPU, by LAPACK. Matrices are column-major, so the
 * vectors of a set follow each other. `what` begins the sentence of an error. */
#ifndef GLNN__PROJECTIONS_LINEAR_H
#define GLNN__PROJECTIONS_LINEAR_H

#include <glnn/base.h>

/* The `count` greatest eigenvalues of a symmetric n x n matrix, descending, and their vectors of
 * length 1, one after the other. `values` has room for n numbers; `a` is overwritten.
 * Errors: E_DIVERGED, E_NOMEM. */
glnn_status glnn__linear_eigen(const char *what, int n, int count, double *a, double *values,
                               double *vectors);

/* The discriminants w of two scatters, S_b w = e S w, in order of descending e. S is symmetric
 * (n x n), and S_b is the sum of b b' over `count` vectors b of length n. Both are overwritten.
 * *values are the square roots of the e, and *vectors the w: min(n, count) of both. If S is not
 * positive definite, *broken is the row, from 1, that shows it, and there are no discriminants;
 * otherwise it is 0.
 * Errors: E_DIVERGED, E_NOMEM. */
glnn_status glnn__linear_discriminants(const char *what, int n, int count, double *s, double *b,
                                       double *values, double *vectors, int *broken);

#endif
