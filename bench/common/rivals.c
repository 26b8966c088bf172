/* The operations on the CPU: C as one would write it, and OpenBLAS where it has the operation. */
#include "common/rivals.h"

#include <math.h>
#include <string.h>

#include "common/cpu.h"
#include "common/failure.h"

static void multiply(const glnn__problem *p, product_fn multiply_with, bool transpose_a,
                     bool transpose_b)
{
    const product of = {
        .transpose_a = transpose_a,
        .transpose_b = transpose_b,
        .m = p->out.rows,
        .n = p->out.columns,
        .k = transpose_a ? p->operand[0].rows : p->operand[0].columns,
        .alpha = 1,
    };
    multiply_with(&of, p->operand[0].data, p->operand[1].data, p->out.data);
}

static void plain_nn(glnn__problem *p)
{
    multiply(p, cpu_product_plain, false, false);
}

static void plain_nt(glnn__problem *p)
{
    multiply(p, cpu_product_plain, false, true);
}

static void plain_tn(glnn__problem *p)
{
    multiply(p, cpu_product_plain, true, false);
}

static void plain_gemv(glnn__problem *p)
{
    /* A column is its own transpose in memory, and rows times rows is the better order for it. */
    plain_nt(p);
}

static void blas_nn(glnn__problem *p)
{
    multiply(p, cpu_product_blas, false, false);
}

static void blas_nt(glnn__problem *p)
{
    multiply(p, cpu_product_blas, false, true);
}

static void blas_tn(glnn__problem *p)
{
    multiply(p, cpu_product_blas, true, false);
}

#define PLAIN_MAP(name, expression)                                                                \
    static void name(glnn__problem *p)                                                             \
    {                                                                                              \
        const float *xs = p->operand[0].data, *ys = p->operand[1].data;                            \
        float *out = p->out.data;                                                                  \
        const size_t count = glnn__elements_count(p->out);                                         \
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

static void plain_axpby(glnn__problem *p)
{
    const float alpha = p->op->alpha, beta = p->op->beta, *x = p->operand[0].data;
    const size_t count = glnn__elements_count(p->out);
    for (size_t i = 0; i < count; ++i)
        p->out.data[i] = alpha * x[i] + beta * p->out.data[i];
}

static void blas_axpby(glnn__problem *p)
{
    cpu_blas_axpby((int)glnn__elements_count(p->out), p->op->alpha, p->operand[0].data, p->op->beta,
                   p->out.data);
}

static const float *row_of(glnn__elements a, int row)
{
    return a.data + (size_t)row * (size_t)a.columns;
}

static void plain_softmax(glnn__problem *p)
{
    for (int i = 0; i < p->operand[0].rows; ++i) {
        const float *x = row_of(p->operand[0], i);
        float *out = p->out.data + (size_t)i * (size_t)p->out.columns;
        float greatest = -INFINITY, sum = 0;
        for (int j = 0; j < p->operand[0].columns; ++j)
            greatest = x[j] > greatest ? x[j] : greatest;
        for (int j = 0; j < p->operand[0].columns; ++j)
            sum += out[j] = expf(x[j] - greatest);
        for (int j = 0; j < p->operand[0].columns; ++j)
            out[j] /= sum;
    }
}

static void plain_copy(glnn__problem *p)
{
    memcpy(p->out.data, p->operand[0].data, glnn__elements_count(p->operand[0]) * sizeof(float));
}

static void blas_copy(glnn__problem *p)
{
    cpu_blas_copy((int)glnn__elements_count(p->operand[0]), p->operand[0].data, p->out.data);
}

static void plain_transpose(glnn__problem *p)
{
    for (int i = 0; i < p->out.rows; ++i)
        for (int j = 0; j < p->out.columns; ++j)
            p->out.data[(size_t)i * (size_t)p->out.columns + (size_t)j] =
                row_of(p->operand[0], j)[i];
}

static void blas_transpose(glnn__problem *p)
{
    cpu_blas_transpose(p->operand[0].rows, p->operand[0].columns, p->operand[0].data, p->out.data);
}

static void plain_gather(glnn__problem *p)
{
    const size_t columns = (size_t)p->out.columns;
    for (int i = 0; i < p->out.rows; ++i)
        memcpy(p->out.data + (size_t)i * columns, row_of(p->operand[0], (int)p->operand[1].data[i]),
               columns * sizeof(float));
}

static float sum_of(const float *x, size_t count)
{
    float sums[8] = {0};
    for (size_t i = 0; i < count; ++i)
        sums[i % 8] += x[i];
    return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

static void plain_sum(glnn__problem *p)
{
    p->out.data[0] = sum_of(p->operand[0].data, glnn__elements_count(p->operand[0]));
}

static void plain_sum_rows(glnn__problem *p)
{
    for (int i = 0; i < p->operand[0].rows; ++i)
        p->out.data[i] = sum_of(row_of(p->operand[0], i), (size_t)p->operand[0].columns);
}

static void plain_sum_columns(glnn__problem *p)
{
    memset(p->out.data, 0, glnn__elements_count(p->out) * sizeof(float));
    for (int i = 0; i < p->operand[0].rows; ++i)
        for (int j = 0; j < p->operand[0].columns; ++j)
            p->out.data[j] += row_of(p->operand[0], i)[j];
}

static void blas_sum(glnn__problem *p)
{
    p->out.data[0] = cpu_blas_sum((int)glnn__elements_count(p->operand[0]), p->operand[0].data);
}

static void blas_sum_rows(glnn__problem *p)
{
    for (int i = 0; i < p->operand[0].rows; ++i)
        p->out.data[i] = cpu_blas_sum(p->operand[0].columns, row_of(p->operand[0], i));
}

static void plain_max(glnn__problem *p)
{
    const size_t count = glnn__elements_count(p->operand[0]);
    float greatest = -INFINITY;
    for (size_t i = 0; i < count; ++i)
        greatest = p->operand[0].data[i] > greatest ? p->operand[0].data[i] : greatest;
    p->out.data[0] = greatest;
}

static void plain_argmin_rows(glnn__problem *p)
{
    for (int i = 0; i < p->operand[0].rows; ++i) {
        const float *x = row_of(p->operand[0], i);
        int least = 0;
        for (int j = 1; j < p->operand[0].columns; ++j)
            if (x[j] < x[least])
                least = j;
        p->out.data[i] = (float)least;
    }
}

static void plain_argmin_columns(glnn__problem *p)
{
    for (int j = 0; j < p->operand[0].columns; ++j)
        p->out.data[j] = 0;
    for (int i = 1; i < p->operand[0].rows; ++i)
        for (int j = 0; j < p->operand[0].columns; ++j)
            if (row_of(p->operand[0], i)[j] < row_of(p->operand[0], (int)p->out.data[j])[j])
                p->out.data[j] = (float)i;
}

const measurement measurements[] = {
    {"gemm_nn", plain_nn, blas_nn, true},
    {"gemm_nt", plain_nt, blas_nt, true},
    {"gemm_tn", plain_tn, blas_tn, true},
    {"gemv", plain_gemv, blas_nn, false},
    {"outer", plain_nn, blas_nn, false},
    {"relu", plain_relu, NULL, false},
    {"sigmoid", plain_sigmoid, NULL, false},
    {"tanh", plain_tanh, NULL, false},
    {"exp", plain_exp, NULL, false},
    {"add", plain_add, NULL, false},
    {"multiply", plain_multiply, NULL, false},
    {"axpby", plain_axpby, blas_axpby, false},
    {"softmax", plain_softmax, NULL, false},
    {"copy", plain_copy, blas_copy, false},
    {"transpose", plain_transpose, blas_transpose, false},
    {"gather_rows", plain_gather, NULL, false},
    {"sum", plain_sum, blas_sum, false},
    {"sum_rows", plain_sum_rows, blas_sum_rows, false},
    {"sum_columns", plain_sum_columns, NULL, false},
    {"max", plain_max, NULL, false},
    {"argmin_rows", plain_argmin_rows, NULL, false},
    {"argmin_columns", plain_argmin_columns, NULL, false},
};
const int measurement_count = sizeof measurements / sizeof measurements[0];

const measurement *measurement_get(const char *name)
{
    for (int i = 0; i < measurement_count; ++i)
        if (strcmp(measurements[i].name, name) == 0)
            return &measurements[i];
    REQUIRE(refuse("%s is not measured", name));
    return NULL;
}

const glnn__operation *measurement_operation(const measurement *of)
{
    return glnn__operation_get(of->name);
}
