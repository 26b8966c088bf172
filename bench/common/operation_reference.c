/* The operations in double precision, with the bounds that glnn's headers state. */
#include "common/operation_kinds.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static double element(array a, int row, int column)
{
    return (double)a.data[(size_t)row * (size_t)a.columns + (size_t)column];
}

static void add_products(const operands *in, int row, bool transpose_a, bool transpose_b,
                         double *value, double *bound)
{
    const int inner = transpose_a ? in->x.rows : in->x.columns;
    const int columns = in->out.columns;
    memset(value, 0, (size_t)columns * sizeof *value);
    memset(bound, 0, (size_t)columns * sizeof *bound);
    for (int k = 0; k < inner; ++k) {
        const double a = transpose_a ? element(in->x, k, row) : element(in->x, row, k);
        for (int j = 0; j < columns; ++j) {
            const double b = transpose_b ? element(in->y, j, k) : element(in->y, k, j);
            value[j] += a * b;
            bound[j] += fabs(a * b);
        }
    }
    for (int j = 0; j < columns; ++j)
        bound[j] *= (inner + 2) * eps;
}

void reference_nn(const operands *in, int row, double *value, double *bound)
{
    add_products(in, row, false, false, value, bound);
}

void reference_nt(const operands *in, int row, double *value, double *bound)
{
    add_products(in, row, false, true, value, bound);
}

void reference_tn(const operands *in, int row, double *value, double *bound)
{
    add_products(in, row, true, false, value, bound);
}

/* glnn/map.h: exact, 64 eps (1 + |y|) for functions, a rounding for arithmetic. */
#define REFERENCE(name, expression, error)                                                         \
    void name(const operands *in, int row, double *value, double *bound)                           \
    {                                                                                              \
        for (int j = 0; j < in->out.columns; ++j) {                                                \
            const double x = element(in->x, row, j);                                               \
            const double y = in->y.data && in->y.columns > j ? element(in->y, row, j) : 0;         \
            (void)y;                                                                               \
            value[j] = (expression);                                                               \
            bound[j] = (error);                                                                    \
        }                                                                                          \
    }

REFERENCE(reference_relu, fmax(x, 0), 0)
REFERENCE(reference_sigmoid, 1 / (1 + exp(-x)), 64 * eps * (1 + fabs(value[j])))
REFERENCE(reference_tanh, tanh(x), 64 * eps * (1 + fabs(value[j])))
REFERENCE(reference_exp, exp(x), 64 * eps * (1 + fabs(value[j])))
REFERENCE(reference_add, x + y, eps *fabs(value[j]))
REFERENCE(reference_multiply, x *y, eps *fabs(value[j]))
REFERENCE(reference_axpby, (double)AXPBY_ALPHA *x + (double)AXPBY_BETA * y,
          2 * eps * (fabs((double)AXPBY_ALPHA * x) + fabs((double)AXPBY_BETA * y)))
REFERENCE(reference_copy, x, 0)

void reference_softmax(const operands *in, int row, double *value, double *bound)
{
    double sum = 0;
    for (int j = 0; j < in->x.columns; ++j)
        sum += value[j] = exp(element(in->x, row, j));
    for (int j = 0; j < in->x.columns; ++j) {
        value[j] /= sum;
        bound[j] = (64 + in->x.columns) * eps;
    }
}

void reference_transpose(const operands *in, int row, double *value, double *bound)
{
    for (int j = 0; j < in->out.columns; ++j) {
        value[j] = element(in->x, j, row);
        bound[j] = 0;
    }
}

void reference_gather(const operands *in, int row, double *value, double *bound)
{
    for (int j = 0; j < in->out.columns; ++j) {
        value[j] = element(in->x, (int)in->y.data[row], j);
        bound[j] = 0;
    }
}

/* (32 p + 2) eps sum |x|, p the passes: one for each factor of 32 of a side. */
static double sum_bound(int rows, int columns, double magnitude)
{
    const double passes = ceil(log(fmax(fmax(rows, columns), 2)) / log(32));
    return (32 * passes + 2) * eps * magnitude;
}

void reference_sum(const operands *in, int row, double *value, double *bound)
{
    double sum = 0, magnitude = 0;
    (void)row;
    for (size_t i = 0; i < array_length(in->x); ++i) {
        sum += (double)in->x.data[i];
        magnitude += fabs((double)in->x.data[i]);
    }
    value[0] = sum;
    bound[0] = sum_bound(in->x.rows, in->x.columns, magnitude);
}

void reference_sum_rows(const operands *in, int row, double *value, double *bound)
{
    double sum = 0, magnitude = 0;
    for (int j = 0; j < in->x.columns; ++j) {
        sum += element(in->x, row, j);
        magnitude += fabs(element(in->x, row, j));
    }
    value[0] = sum;
    bound[0] = sum_bound(1, in->x.columns, magnitude);
}

void reference_sum_columns(const operands *in, int row, double *value, double *bound)
{
    (void)row;
    for (int j = 0; j < in->x.columns; ++j) {
        double sum = 0, magnitude = 0;
        for (int i = 0; i < in->x.rows; ++i) {
            sum += element(in->x, i, j);
            magnitude += fabs(element(in->x, i, j));
        }
        value[j] = sum;
        bound[j] = sum_bound(in->x.rows, 1, magnitude);
    }
}

void reference_max(const operands *in, int row, double *value, double *bound)
{
    (void)row;
    value[0] = -INFINITY;
    for (size_t i = 0; i < array_length(in->x); ++i)
        value[0] = fmax(value[0], (double)in->x.data[i]);
    bound[0] = 0;
}

void reference_argmin_rows(const operands *in, int row, double *value, double *bound)
{
    int least = 0;
    for (int j = 1; j < in->x.columns; ++j)
        if (element(in->x, row, j) < element(in->x, row, least))
            least = j;
    value[0] = least;
    bound[0] = 0;
}

void reference_argmin_columns(const operands *in, int row, double *value, double *bound)
{
    (void)row;
    for (int j = 0; j < in->x.columns; ++j) {
        int least = 0;
        for (int i = 1; i < in->x.rows; ++i)
            if (element(in->x, i, j) < element(in->x, least, j))
                least = i;
        value[j] = least;
        bound[j] = 0;
    }
}
