#include "mixtures/covariance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The QL method converges cubically: two sweeps an eigenvalue do. */
#define MAX_SWEEPS 50

static size_t place(int n, int row, int column)
{
    return (size_t)row * (size_t)n + (size_t)column;
}

bool glnn__cholesky(int n, const double *matrix, double *lower)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = matrix[place(n, i, j)];
            for (int k = 0; k < j; ++k)
                sum -= lower[place(n, i, k)] * lower[place(n, j, k)];
            if (i == j && !(sum > 0 && isfinite(sum)))
                return false;
            lower[place(n, i, j)] = i == j ? sqrt(sum) : sum / lower[place(n, j, j)];
        }
        for (int j = i + 1; j < n; ++j)
            lower[place(n, i, j)] = 0;
    }
    return true;
}

void glnn__invert_lower(int n, const double *lower, double *inverse)
{
    memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
    for (int j = 0; j < n; ++j) {
        inverse[place(n, j, j)] = 1 / lower[place(n, j, j)];
        for (int i = j + 1; i < n; ++i) {
            double sum = 0;
            for (int k = j; k < i; ++k)
                sum += lower[place(n, i, k)] * inverse[place(n, k, j)];
            inverse[place(n, i, j)] = -sum / lower[place(n, i, i)];
        }
    }
}

/* A symmetric matrix on its way to its eigenvalues. */
typedef struct eigen {
    int n;
    double *matrix;   /* n x n, made tridiagonal                                         */
    double *vectors;  /* n x n: the rows become eigenvectors                             */
    double *diagonal; /* n: becomes the eigenvalues                                      */
    double *off;      /* n: next to the diagonal, the last element zero                  */
    double *v, *w;    /* n: a reflection I - v v', and what it makes of the matrix       */
} eigen;

/* Finds the reflection that leaves of row k only element k + 1 after the diagonal. Returns false
 * if there is no other element. */
static bool find_reflection(eigen *e, int k)
{
    const double *row = &e->matrix[place(e->n, k, 0)];
    double rest = 0;
    for (int i = k + 2; i < e->n; ++i)
        rest += row[i] * row[i];
    e->off[k] = row[k + 1];
    if (!(rest > 0))
        return false;
    const double length = sqrt(row[k + 1] * row[k + 1] + rest);
    e->off[k] = row[k + 1] > 0 ? -length : length;
    const double scale = 1 / sqrt(length * (length + fabs(row[k + 1])));
    e->v[k + 1] = (row[k + 1] - e->off[k]) * scale;
    for (int i = k + 2; i < e->n; ++i)
        e->v[i] = row[i] * scale;
    return true;
}

/* The rows and columns after k are reflected from both sides. */
static void reflect_matrix(eigen *e, int k)
{
    const int n = e->n;
    double projection = 0;
    for (int i = k + 1; i < n; ++i) {
        const double *row = &e->matrix[place(n, i, 0)];
        e->w[i] = 0;
        for (int j = k + 1; j < n; ++j)
            e->w[i] += row[j] * e->v[j];
        projection += 0.5 * e->w[i] * e->v[i];
    }
    for (int i = k + 1; i < n; ++i)
        e->w[i] -= projection * e->v[i];
    for (int i = k + 1; i < n; ++i) {
        double *row = &e->matrix[place(n, i, 0)];
        for (int j = k + 1; j < n; ++j)
            row[j] -= e->v[i] * e->w[j] + e->w[i] * e->v[j];
    }
}

static void reflect_vectors(eigen *e, int k)
{
    const int n = e->n;
    memset(e->w, 0, (size_t)n * sizeof *e->w);
    for (int i = k + 1; i < n; ++i)
        for (int j = 0; j < n; ++j)
            e->w[j] += e->v[i] * e->vectors[place(n, i, j)];
    for (int i = k + 1; i < n; ++i)
        for (int j = 0; j < n; ++j)
            e->vectors[place(n, i, j)] -= e->v[i] * e->w[j];
}

/* Householder's method. */
static void make_tridiagonal(eigen *e)
{
    const int n = e->n;
    memset(e->vectors, 0, (size_t)n * (size_t)n * sizeof *e->vectors);
    for (int i = 0; i < n; ++i)
        e->vectors[place(n, i, i)] = 1;
    for (int k = 0; k < n - 1; ++k)
        if (find_reflection(e, k)) {
            reflect_matrix(e, k);
            reflect_vectors(e, k);
        }
    for (int i = 0; i < n; ++i)
        e->diagonal[i] = e->matrix[place(n, i, i)];
    e->off[n - 1] = 0;
}

/* The end of the block that begins at l: the element next to the diagonal is zero there. */
static int block_end(const eigen *e, int l)
{
    int m = l;
    while (m < e->n - 1 &&
           fabs(e->off[m]) > DBL_EPSILON * (fabs(e->diagonal[m]) + fabs(e->diagonal[m + 1])))
        ++m;
    return m;
}

/* Eigenvectors i and i + 1 are turned by an angle of which s is the sine and c the cosine. */
static void turn(eigen *e, int i, double s, double c)
{
    double *a = &e->vectors[place(e->n, i, 0)], *b = &e->vectors[place(e->n, i + 1, 0)];
    for (int k = 0; k < e->n; ++k) {
        const double old = a[k];
        a[k] = c * old - s * b[k];
        b[k] = s * old + c * b[k];
    }
}

/* One sweep of the implicit QL method over the block from l to m, shifted by an eigenvalue of its
 * first two rows. */
static void sweep(eigen *e, int l, int m)
{
    double *d = e->diagonal, *off = e->off;
    const double half = (d[l + 1] - d[l]) / (2 * off[l]);
    double g = d[m] - d[l] + off[l] / (half + copysign(sqrt(half * half + 1), half));
    double s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; --i) {
        const double f = s * off[i], b = c * off[i], r = sqrt(f * f + g * g);
        off[i + 1] = r;
        if (r == 0) {
            d[i + 1] -= p;
            off[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        const double shifted = d[i + 1] - p, t = (d[i] - shifted) * s + 2 * c * b;
        p = s * t;
        d[i + 1] = shifted + p;
        g = c * t - b;
        turn(e, i, s, c);
    }
    d[l] -= p;
    off[l] = g;
    off[m] = 0;
}

static void diagonalise(eigen *e)
{
    make_tridiagonal(e);
    for (int l = 0; l < e->n; ++l)
        for (int sweeps = 0; sweeps < MAX_SWEEPS && block_end(e, l) > l; ++sweeps)
            sweep(e, l, block_end(e, l));
}

/* Mostly there is nothing to raise, and a factor is a cheap proof of it. */
static bool is_above(int n, double floor, const double *matrix, double *scratch)
{
    memcpy(scratch, matrix, (size_t)n * (size_t)n * sizeof *scratch);
    for (int i = 0; i < n; ++i)
        scratch[place(n, i, i)] -= floor;
    return glnn__cholesky(n, scratch, scratch);
}

void glnn__raise_eigenvalues(int n, double floor, double *matrix, double *scratch)
{
    double *rest = scratch + 2 * (size_t)n * (size_t)n;
    eigen e = {n,           scratch, scratch + (size_t)n * (size_t)n, rest, rest + n, rest + 2 * n,
               rest + 3 * n};
    if (is_above(n, floor, matrix, scratch))
        return;
    memcpy(e.matrix, matrix, (size_t)n * (size_t)n * sizeof *matrix);
    diagonalise(&e);
    for (int k = 0; k < n; ++k) {
        const double missing = floor - e.diagonal[k], *vector = &e.vectors[place(n, k, 0)];
        for (int i = 0; missing > 0 && i < n; ++i)
            for (int j = 0; j < n; ++j)
                matrix[place(n, i, j)] += missing * vector[i] * vector[j];
    }
}
