/* The alternatives of a user without the device: C on one core, and OpenBLAS. */
#ifndef BENCH_CPU_H
#define BENCH_CPU_H

#include <stdbool.h>

/* c = alpha op(a) op(b) + beta c; op(a) is m x k, op(b) is k x n, all dense and row-major, and
 * at most one of them transposed. */
typedef struct product {
    bool transpose_a, transpose_b;
    int m, n, k;
    float alpha, beta;
} product;

typedef void (*product_fn)(const product *p, const float *a, const float *b, float *c);

/* Loops in the order that lets a compiler vectorise the innermost one. */
void cpu_product_plain(const product *p, const float *a, const float *b, float *c);
void cpu_product_blas(const product *p, const float *a, const float *b, float *c);

/* Threads of OpenBLAS; 0: as many as it would take by itself. */
void cpu_blas_threads(int threads);

/* The kernels that OpenBLAS has chosen for this processor, and its version. */
const char *cpu_blas_name(void);

void cpu_blas_copy(int count, const float *x, float *y);
void cpu_blas_transpose(int rows, int columns, const float *x, float *y);
void cpu_blas_axpby(int count, float alpha, const float *x, float beta, float *y);
float cpu_blas_sum(int count, const float *x);

#endif
