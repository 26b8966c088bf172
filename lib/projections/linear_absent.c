/* Replaces projections/linear.c in a library that is built without LAPACK. */
#include "projections/linear.h"

#include "base/status.h"

static glnn_status refuse(const char *what)
{
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "%s: this libglnn was built without LAPACK, so it cannot fit projections",
                      what);
}

glnn_status glnn__linear_eigen(const char *what, int n, int count, double *a, double *values,
                               double *vectors)
{
    (void)n;
    (void)count;
    (void)a;
    (void)values;
    (void)vectors;
    return refuse(what);
}

glnn_status glnn__linear_discriminants(const char *what, int n, int count, double *s, double *b,
                                       double *values, double *vectors, int *broken)
{
    (void)n;
    (void)count;
    (void)s;
    (void)b;
    (void)values;
    (void)vectors;
    *broken = 0;
    return refuse(what);
}
