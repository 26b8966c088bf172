#include "common/cpu.h"

#include <stdio.h>
#include <string.h>

#include <cblas.h>

static void scale(float beta, int count, float *c)
{
    if (beta == 0)
        memset(c, 0, (size_t)count * sizeof *c);
    else if (beta != 1)
        for (int j = 0; j < count; ++j)
            c[j] *= beta;
}

static void row_by_rows(const product *p, int i, const float *a, const float *b, float *c)
{
    for (int k = 0; k < p->k; ++k) {
        const float factor = p->alpha * (p->transpose_a ? a[(size_t)k * (size_t)p->m + (size_t)i]
                                                        : a[(size_t)i * (size_t)p->k + (size_t)k]);
        const float *row = b + (size_t)k * (size_t)p->n;
        for (int j = 0; j < p->n; ++j)
            c[j] += factor * row[j];
    }
}

static void row_by_dots(const product *p, int i, const float *a, const float *b, float *c)
{
    const float *left = a + (size_t)i * (size_t)p->k;
    for (int j = 0; j < p->n; ++j) {
        const float *right = b + (size_t)j * (size_t)p->k;
        float sum = 0;
        for (int k = 0; k < p->k; ++k)
            sum += left[k] * right[k];
        c[j] += p->alpha * sum;
    }
}

void cpu_product_plain(const product *p, const float *a, const float *b, float *c)
{
    for (int i = 0; i < p->m; ++i) {
        float *row = c + (size_t)i * (size_t)p->n;
        scale(p->beta, p->n, row);
        (p->transpose_b ? row_by_dots : row_by_rows)(p, i, a, b, row);
    }
}

void cpu_product_blas(const product *p, const float *a, const float *b, float *c)
{
    cblas_sgemm(CblasRowMajor, p->transpose_a ? CblasTrans : CblasNoTrans,
                p->transpose_b ? CblasTrans : CblasNoTrans, p->m, p->n, p->k, p->alpha, a,
                p->transpose_a ? p->m : p->k, b, p->transpose_b ? p->k : p->n, p->beta, c, p->n);
}

void cpu_blas_threads(int threads)
{
    static int usual;
    if (usual == 0)
        usual = openblas_get_num_threads();
    openblas_set_num_threads(threads > 0 ? threads : usual);
}

const char *cpu_blas_name(void)
{
    static char name[200];
    snprintf(name, sizeof name, "kernels %s; %s", openblas_get_corename(), openblas_get_config());
    return name;
}

void cpu_blas_copy(int count, const float *x, float *y)
{
    cblas_scopy(count, x, 1, y, 1);
}

void cpu_blas_transpose(int rows, int columns, const float *x, float *y)
{
    cblas_somatcopy(CblasRowMajor, CblasTrans, rows, columns, 1, x, columns, y, rows);
}

void cpu_blas_axpby(int count, float alpha, const float *x, float beta, float *y)
{
    cblas_saxpby(count, alpha, x, 1, beta, y, 1);
}

float cpu_blas_sum(int count, const float *x)
{
    return cblas_ssum(count, x, 1);
}
