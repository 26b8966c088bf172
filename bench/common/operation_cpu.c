/* The operations on the CPU: C as one would write it, and OpenBLAS where it has the operation. */
#include "common/operation_kinds.h"

#include <math.h>
#include <string.h>

#include "common/cpu.h"

static void multiply(const operands *in, product_fn multiply_with, bool transpose_a,
                     bool transpose_b)
{
    const product p = {
        .transpose_a = transpose_a,
        .transpose_b = transpose_b,
        .m = in->out.rows,
        .n = in->out.columns,
        .k = transpose_a ? in->x.rows : in->x.columns,
        .alpha = 1,
    };
    multiply_with(&p, in->x.data, in->y.data, in->out.data);
}

void plain_nn(const operands *in)
{
    multiply(in, cpu_product_plain, false, false);
}

void plain_nt(const operands *in)
{
    multiply(in, cpu_product_plain, false, true);
}

void plain_tn(const operands *in)
{
    multiply(in, cpu_product_plain, true, false);
}

void plain_gemv(const operands *in)
{
    /* A column is its own transpose in memory, and rows times rows is the better order for it. */
    plain_nt(in);
}

void blas_nn(const operands *in)
{
    multiply(in, cpu_product_blas, false, false);
}

void blas_nt(const operands *in)
{
    multiply(in, cpu_product_blas, false, true);
}

void blas_tn(const operands *in)
{
    multiply(in, cpu_product_blas, true, false);
}

#define PLAIN_MAP(name, expression)                                                                \
    void name(const operands *in)                                                                  \
    {                                                                                              \
        const float *xs = in->x.data, *ys = in->y.data;                                            \
        float *out = in->out.data;                                                                 \
        const size_t count = array_length(in->out);                                                \
        for (size_t i = 0; i < count; ++i) {                                                       \
            const float x = xs[i], y = ys ? ys[i] : 0;                                             \
            (void)y;                                                                               \
            out[i] = (expression);                                                                 \
        }                                                                                          \
    }

PLAIN_MAP(plain_relu, x > 0 ? x : 0)
PLAIN_MAP(plain_sigmoid, 1 / (1 + expf(-x)))
PLAIN_MAP(plain_tanh, tanhf(x))
PLAIN_MAP(plain_exp, expf(x))
PLAIN_MAP(plain_add, x + y)
PLAIN_MAP(plain_multiply, x *y)
PLAIN_MAP(plain_axpby, AXPBY_ALPHA *x + AXPBY_BETA * out[i])

void blas_axpby(const operands *in)
{
    cpu_blas_axpby((int)array_length(in->out), AXPBY_ALPHA, in->x.data, AXPBY_BETA, in->out.data);
}

static const float *row_of(array a, int row)
{
    return a.data + (size_t)row * (size_t)a.columns;
}

void plain_softmax(const operands *in)
{
    for (int i = 0; i < in->x.rows; ++i) {
        const float *x = row_of(in->x, i);
        float *out = in->out.data + (size_t)i * (size_t)in->out.columns;
        float greatest = -INFINITY, sum = 0;
        for (int j = 0; j < in->x.columns; ++j)
            greatest = x[j] > greatest ? x[j] : greatest;
        for (int j = 0; j < in->x.columns; ++j)
            sum += out[j] = expf(x[j] - greatest);
        for (int j = 0; j < in->x.columns; ++j)
            out[j] /= sum;
    }
}

void plain_copy(const operands *in)
{
    memcpy(in->out.data, in->x.data, array_length(in->x) * sizeof(float));
}

void blas_copy(const operands *in)
{
    cpu_blas_copy((int)array_length(in->x), in->x.data, in->out.data);
}

void plain_transpose(const operands *in)
{
    for (int i = 0; i < in->out.rows; ++i)
        for (int j = 0; j < in->out.columns; ++j)
            in->out.data[(size_t)i * (size_t)in->out.columns + (size_t)j] = row_of(in->x, j)[i];
}

void blas_transpose(const operands *in)
{
    cpu_blas_transpose(in->x.rows, in->x.columns, in->x.data, in->out.data);
}

void plain_gather(const operands *in)
{
    const size_t columns = (size_t)in->out.columns;
    for (int i = 0; i < in->out.rows; ++i)
        memcpy(in->out.data + (size_t)i * columns, row_of(in->x, (int)in->y.data[i]),
               columns * sizeof(float));
}

static float sum_of(const float *x, size_t count)
{
    float sums[8] = {0};
    for (size_t i = 0; i < count; ++i)
        sums[i % 8] += x[i];
    return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

void plain_sum(const operands *in)
{
    in->out.data[0] = sum_of(in->x.data, array_length(in->x));
}

void plain_sum_rows(const operands *in)
{
    for (int i = 0; i < in->x.rows; ++i)
        in->out.data[i] = sum_of(row_of(in->x, i), (size_t)in->x.columns);
}

void plain_sum_columns(const operands *in)
{
    memset(in->out.data, 0, array_length(in->out) * sizeof(float));
    for (int i = 0; i < in->x.rows; ++i)
        for (int j = 0; j < in->x.columns; ++j)
            in->out.data[j] += row_of(in->x, i)[j];
}

void blas_sum(const operands *in)
{
    in->out.data[0] = cpu_blas_sum((int)array_length(in->x), in->x.data);
}

void blas_sum_rows(const operands *in)
{
    for (int i = 0; i < in->x.rows; ++i)
        in->out.data[i] = cpu_blas_sum(in->x.columns, row_of(in->x, i));
}

void plain_max(const operands *in)
{
    const size_t count = array_length(in->x);
    float greatest = -INFINITY;
    for (size_t i = 0; i < count; ++i)
        greatest = in->x.data[i] > greatest ? in->x.data[i] : greatest;
    in->out.data[0] = greatest;
}

void plain_argmin_rows(const operands *in)
{
    for (int i = 0; i < in->x.rows; ++i) {
        const float *x = row_of(in->x, i);
        int least = 0;
        for (int j = 1; j < in->x.columns; ++j)
            if (x[j] < x[least])
                least = j;
        in->out.data[i] = (float)least;
    }
}

void plain_argmin_columns(const operands *in)
{
    for (int j = 0; j < in->x.columns; ++j)
        in->out.data[j] = 0;
    for (int i = 1; i < in->x.rows; ++i)
        for (int j = 0; j < in->x.columns; ++j)
            if (row_of(in->x, i)[j] < row_of(in->x, (int)in->out.data[j])[j])
                in->out.data[j] = (float)i;
}
