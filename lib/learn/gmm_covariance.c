#include "learn/gmm_covariance.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Jacobi's method converges quadratically: a few sweeps do. */
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

/* Turns the planes of rows or columns p and q: (p, q) = (c p - s q, s p + c q). */
static void rotate(int n, double *matrix, int p, int q, double c, double s, bool rows)
{
    for (int k = 0; k < n; ++k) {
        double *a = &matrix[rows ? place(n, p, k) : place(n, k, p)];
        double *b = &matrix[rows ? place(n, q, k) : place(n, k, q)];
        const double old = *a;
        *a = c * old - s * *b;
        *b = s * old + c * *b;
    }
}

/* One rotation of Jacobi's method, which makes element (p, q) zero. */
static void eliminate(int n, double *matrix, double *vectors, int p, int q)
{
    const double off = matrix[place(n, p, q)];
    if (off == 0)
        return;
    const double theta = (matrix[place(n, q, q)] - matrix[place(n, p, p)]) / (2 * off);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
    const double c = 1 / hypot(t, 1), s = t * c;
    rotate(n, matrix, p, q, c, s, false);
    rotate(n, matrix, p, q, c, s, true);
    rotate(n, vectors, p, q, c, s, false);
}

static bool is_diagonal(int n, const double *matrix)
{
    double on = 0, off = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            *(i == j ? &on : &off) += matrix[place(n, i, j)] * matrix[place(n, i, j)];
    return !(off > 1e-28 * on);
}

/* values becomes diagonal; the columns of vectors are what belongs to its elements. */
static void diagonalise(int n, double *values, double *vectors)
{
    memset(vectors, 0, (size_t)n * (size_t)n * sizeof *vectors);
    for (int i = 0; i < n; ++i)
        vectors[place(n, i, i)] = 1;
    for (int sweep = 0; sweep < MAX_SWEEPS && !is_diagonal(n, values); ++sweep)
        for (int p = 0; p < n - 1; ++p)
            for (int q = p + 1; q < n; ++q)
                eliminate(n, values, vectors, p, q);
}

void glnn__raise_eigenvalues(int n, double floor, double *matrix, double *scratch)
{
    double *values = scratch, *vectors = scratch + (size_t)n * (size_t)n;
    memcpy(values, matrix, (size_t)n * (size_t)n * sizeof *values);
    for (int i = 0; i < n; ++i)
        values[place(n, i, i)] -= floor;
    /* Mostly there is nothing to raise, and a factor is a cheap proof of it. */
    if (glnn__cholesky(n, values, vectors))
        return;
    memcpy(values, matrix, (size_t)n * (size_t)n * sizeof *values);
    diagonalise(n, values, vectors);
    for (int k = 0; k < n; ++k) {
        const double missing = floor - values[place(n, k, k)];
        for (int i = 0; missing > 0 && i < n; ++i)
            for (int j = 0; j < n; ++j)
                matrix[place(n, i, j)] +=
                    missing * vectors[place(n, i, k)] * vectors[place(n, j, k)];
    }
}
