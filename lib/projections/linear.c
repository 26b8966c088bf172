#include "projections/linear.h"

#include "base/integers.h"
#include "base/status.h"

#include <lapacke.h>
#include <stddef.h>
#include <stdlib.h>

/* The arguments are valid and finite, so a negative number means that memory ran out. */
static glnn_status check(const char *what, const char *call, lapack_int info)
{
    if (info < 0)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for LAPACK's %s", what, call);
    if (info > 0)
        return glnn__fail(GLNN_E_DIVERGED, "%s: LAPACK's %s did not converge (%d)", what, call,
                          (int)info);
    return GLNN_OK;
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* LAPACK returns ascending order. */
static void reverse(int n, int count, double *values, double *vectors)
{
    size_t length = (size_t)n;
    for (size_t low = 0, high = (size_t)count - 1; low < high; ++low, --high) {
        swap(&values[low], &values[high]);
        for (size_t i = 0; i < length; ++i)
            swap(&vectors[low * length + i], &vectors[high * length + i]);
    }
}

glnn_status glnn__linear_eigen(const char *what, int n, int count, double *a, double *values,
                               double *vectors)
{
    lapack_int found, *support = malloc(2 * (size_t)n * sizeof *support);
    if (!support)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for LAPACK's dsyevr", what);
    lapack_int info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', count == n ? 'A' : 'I', 'L', n, a, n, 0,
                                     0, n - count + 1, n, 0, &found, values, vectors, n, support);
    free(support);
    GLNN__TRY(check(what, "dsyevr", info));
    reverse(n, count, values, vectors);
    return GLNN_OK;
}

/* Solves L x = b, or L' x = b if `transposed` is 'T', for `count` vectors b in place. */
static glnn_status solve(const char *what, char transposed, int n, const double *l, int count,
                         double *b)
{
    return check(what, "dtrtrs",
                 LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', transposed, 'N', n, count, l, n, b, n));
}

/* The singular values of the vectors b as a matrix, descending, and the left singular vectors. */
static glnn_status find_singular(const char *what, int n, int count, double *b, double *values,
                                 double *vectors)
{
    double right; /* not computed */
    double *scratch = malloc((size_t)glnn__least(n, count) * sizeof *scratch);
    if (!scratch)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for LAPACK's dgesvd", what);
    lapack_int info = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'S', 'N', n, count, b, n, values, vectors, n,
                                     &right, 1, scratch);
    free(scratch);
    return check(what, "dgesvd", info);
}

/* With S = L L', the w are L'^-1 u, where the u are the eigenvectors of L^-1 S_b L'^-1. These are
 * the left singular vectors of L^-1 b, of which there are only as many as classes. Computing them
 * takes much less time than computing all eigenvectors. */
glnn_status glnn__linear_discriminants(const char *what, int n, int count, double *s, double *b,
                                       double *values, double *vectors, int *broken)
{
    lapack_int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, s, n);
    *broken = info > 0 ? (int)info : 0;
    if (info != 0)
        return check(what, "dpotrf", info < 0 ? info : 0);
    GLNN__TRY(solve(what, 'N', n, s, count, b));
    GLNN__TRY(find_singular(what, n, count, b, values, vectors));
    return solve(what, 'T', n, s, glnn__least(n, count), vectors);
}
