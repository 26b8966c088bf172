/* The operations under test, each with what computes the same on the CPU and what judges it. */
#ifndef BENCH_OPERATION_H
#define BENCH_OPERATION_H

#include <glnn/glnn.h>

/* A size: products are m x k times k x n, all else is m x n. */
typedef struct size {
    int m, n, k;
} size;

typedef struct array {
    int rows, columns;
    float *data; /* row-major, dense */
} array;

/* Operands in main memory; y has no rows where the operation takes one operand. */
typedef struct operands {
    size size;
    array x, y, out;
} operands;

/* How operands are stored on the device. */
typedef struct storages {
    glnn_storage x, y, out;
} storages;

typedef enum dimension { NONE, ONE, M, N, K } dimension;

typedef struct shape {
    dimension rows, columns;
} shape;

typedef enum family { FAMILY_PRODUCT, FAMILY_MAP, FAMILY_MOVE, FAMILY_REDUCTION } family;

typedef glnn_status device_fn(glnn_context *ctx, const glnn_matrix *x, const glnn_matrix *y,
                              glnn_matrix *out);

typedef struct operation {
    const char *name;
    family family;
    shape x, y, out;
    bool in_place;   /* out begins as a copy of y, and the operation reads it */
    bool y_is_index; /* y holds numbers of rows of x */
    device_fn *device;
    device_fn *original;               /* in passes of 12 columns; NULL but for matrix products */
    void (*plain)(const operands *in); /* C on one core                    */
    void (*blas)(const operands *in);  /* NULL: OpenBLAS has nothing for it */
    /* One row of the result in double precision, and how far each element may be from it. */
    void (*reference)(const operands *in, int row, double *value, double *bound);
} operation;

extern const operation operations[];
extern const int operation_count;

/* The operation of that name, which exists. */
const operation *operation_get(const char *name);

/* Random operands, the same in every run; operands_free gives them back. */
operands operands_new(const operation *op, size size);
void operands_free(operands *in);

/* Sets `out` to what it is before the operation. */
void operands_reset(const operation *op, operands *in);

/* Floating-point operations (2 a multiply-add; 0 for what moves data), and the bytes that must at
 * least be read and written. */
double operation_flops(const operation *op, size size);
double operation_bytes(const operands *in, storages stored);

/* Elements. */
size_t array_length(array a);

/* Compares `out` with the reference, in full where that takes a moment and else in rows spread over
 * all of it; stored in 16 bits it may be off by one rounding more. Returns the greatest error in units of its bound, infinity where a NaN appears. */
double operands_judge(const operation *op, const operands *in, glnn_storage out);

#endif
