#include "reference.h"

double reference_map(glnn_map map, double x)
{
    switch (map) {
    case GLNN_MAP_SIGMOID:
        return 1.0 / (1.0 + exp(-x));
    case GLNN_MAP_TANH:
        return tanh(x);
    case GLNN_MAP_SCALED_TANH:
        return 1.7159 * tanh(2.0 * x / 3.0);
    case GLNN_MAP_RELU:
        return x > 0.0 ? x : 0.0;
    case GLNN_MAP_LEAKY_RELU:
        return x > 0.0 ? x : (double)0.01f * x;
    case GLNN_MAP_SOFTPLUS:
        return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
    case GLNN_MAP_EXP:
        return exp(x);
    case GLNN_MAP_LOG:
        return log(x);
    case GLNN_MAP_SQRT:
        return sqrt(x);
    case GLNN_MAP_THRESHOLD:
        return x > 0.0 ? 1.0 : 0.0;
    case GLNN_MAP_IDENTITY:
    case GLNN_MAP_COUNT:
        break;
    }
    return x;
}

double reference_derivative(glnn_map map, double y)
{
    switch (map) {
    case GLNN_MAP_SIGMOID:
        return y * (1.0 - y);
    case GLNN_MAP_TANH:
        return 1.0 - y * y;
    case GLNN_MAP_SCALED_TANH:
        return 2.0 / 3.0 * (1.7159 - y * y / 1.7159);
    case GLNN_MAP_RELU:
        return y > 0.0 ? 1.0 : 0.0;
    case GLNN_MAP_LEAKY_RELU:
        return y > 0.0 ? 1.0 : (double)0.01f;
    case GLNN_MAP_SOFTPLUS:
        return 1.0 - exp(-y);
    case GLNN_MAP_EXP:
        return y;
    case GLNN_MAP_LOG:
        return exp(-y);
    case GLNN_MAP_SQRT:
        return 1.0 / (2.0 * y);
    case GLNN_MAP_THRESHOLD:
        return 0.0;
    case GLNN_MAP_IDENTITY:
    case GLNN_MAP_COUNT:
        break;
    }
    return 1.0;
}

static double map_bound(glnn_map map, double y)
{
    switch (map) {
    case GLNN_MAP_IDENTITY:
    case GLNN_MAP_RELU:
    case GLNN_MAP_THRESHOLD:
        return 0.0;
    case GLNN_MAP_LEAKY_RELU:
        return EPS * fabs(y);
    default:
        return 64.0 * EPS * (1.0 + fabs(y));
    }
}

static double derivative_bound(glnn_map map, double y)
{
    return 64.0 * EPS * (1.0 + fabs(reference_derivative(map, y)));
}

static expected expected_new(int rows, int columns)
{
    return (expected){array_new(rows, columns), array_new(rows, columns)};
}

expected reference_map_apply(glnn_map map, array x)
{
    expected want = expected_new(x.rows, x.columns);
    for (size_t i = 0; i < length_of(x); ++i) {
        want.value.data[i] = reference_map(map, x.data[i]);
        want.bound.data[i] = map_bound(map, want.value.data[i]);
    }
    return want;
}

expected reference_map_derivative(glnn_map map, array y, array dy)
{
    expected want = expected_new(y.rows, y.columns);
    for (size_t i = 0; i < length_of(y); ++i) {
        double factor = dy.data ? dy.data[i] : 1.0;
        want.value.data[i] = reference_derivative(map, y.data[i]) * factor;
        want.bound.data[i] = derivative_bound(map, y.data[i]) * fabs(factor);
    }
    return want;
}

/* Element (row, column) of op(a), whose extra column that augment asks for is all ones. */
static double left_element(const glnn_gemm_desc *desc, array a, int row, int column)
{
    if (desc->transpose_a)
        return row < a.columns ? *at(a, column, row) : 1.0;
    return column < a.columns ? *at(a, row, column) : 1.0;
}

typedef struct gemm_shape {
    int m, n, k;
} gemm_shape;

static gemm_shape shape_of(const glnn_gemm_desc *desc, const gemm_operands *in)
{
    int more = desc->augment ? 1 : 0;
    return (gemm_shape){
        .m = desc->transpose_a ? in->a.columns + more : in->a.rows,
        .n = desc->transpose_b ? in->b.rows : in->b.columns,
        .k = desc->transpose_a ? in->a.rows : in->a.columns + more,
    };
}

/* The product of one element without a map; `*bound` allows the documented (k + 2) roundings of
 * the product, and three more of all summands where beta or a bias adds to it. */
static double inner_product(const glnn_gemm_desc *desc, const gemm_operands *in, int k, int i,
                            int j, double *bound)
{
    double alpha = desc->alpha != 0.0f ? (double)desc->alpha : 1.0;
    double sum = 0.0, magnitude = 0.0;
    for (int p = 0; p < k; ++p) {
        double right = desc->transpose_b ? *at(in->b, j, p) : *at(in->b, p, j);
        double product = alpha * left_element(desc, in->a, i, p) * right;
        sum += product;
        magnitude += fabs(product);
    }
    *bound = (k + 2) * EPS * magnitude;
    double former = desc->beta != 0.0f ? (double)desc->beta * *at(in->c, i, j) : 0.0;
    double bias = in->bias.data ? *at(in->bias, 0, j) : 0.0;
    if (desc->beta != 0.0f || in->bias.data)
        *bound += 3.0 * EPS * (magnitude + fabs(former) + fabs(bias));
    return sum + former + bias;
}

/* No map is used on a product where it is steeper than scaled_tanh in the origin. */
static const double steepest = 1.1440;

expected reference_gemm(const glnn_gemm_desc *desc, const gemm_operands *in)
{
    const gemm_shape shape = shape_of(desc, in);
    expected want = expected_new(shape.m, shape.n);
    for (int i = 0; i < shape.m; ++i)
        for (int j = 0; j < shape.n; ++j) {
            double bound = 0.0;
            double sum = inner_product(desc, in, shape.k, i, j, &bound);
            double value = reference_map(desc->activation, sum);
            if (desc->activation != GLNN_MAP_IDENTITY)
                bound = steepest * bound + map_bound(desc->activation, value);
            if (in->y.data) {
                double factor = reference_derivative(desc->derivative, *at(in->y, i, j));
                bound = bound * fabs(factor) +
                        fabs(value) * derivative_bound(desc->derivative, *at(in->y, i, j));
                value *= factor;
            }
            *at(want.value, i, j) = value;
            *at(want.bound, i, j) = bound;
        }
    return want;
}

/* Where beta is not 0 its product is rounded too, beside the sum. */
expected reference_outer(float alpha, array x, array y, float beta, array out)
{
    expected want = expected_new((int)length_of(x), (int)length_of(y));
    for (int i = 0; i < want.value.rows; ++i)
        for (int j = 0; j < want.value.columns; ++j) {
            double product = (double)alpha * x.data[i] * y.data[j];
            double former = beta != 0.0f ? (double)beta * *at(out, i, j) : 0.0;
            *at(want.value, i, j) = product + former;
            *at(want.bound, i, j) = 2.0 * EPS * fabs(product);
            if (beta != 0.0f)
                *at(want.bound, i, j) += EPS * (fabs(former) + fabs(product + former));
        }
    return want;
}

double reference_binary(glnn_binary op, double x, double y)
{
    switch (op) {
    case GLNN_BINARY_ADD:
        return x + y;
    case GLNN_BINARY_SUBTRACT:
        return x - y;
    case GLNN_BINARY_MULTIPLY:
        return x * y;
    case GLNN_BINARY_DIVIDE:
        return x / y;
    case GLNN_BINARY_MAXIMUM:
        return x > y ? x : y;
    case GLNN_BINARY_MINIMUM:
        return x < y ? x : y;
    case GLNN_BINARY_COUNT:
        break;
    }
    return 0.0;
}

expected reference_binary_apply(glnn_binary op, array x, array y, int rows, int columns)
{
    expected want = expected_new(rows, columns);
    bool exact = op == GLNN_BINARY_MAXIMUM || op == GLNN_BINARY_MINIMUM;
    double roundings = exact ? 0.0 : op == GLNN_BINARY_DIVIDE ? 3.0 : 1.0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            double left = *at(x, i % x.rows, j % x.columns);
            double right = *at(y, i % y.rows, j % y.columns);
            *at(want.value, i, j) = reference_binary(op, left, right);
            *at(want.bound, i, j) = roundings * EPS * fabs(*at(want.value, i, j));
        }
    return want;
}

expected reference_axpby(float alpha, array x, float beta, array y)
{
    expected want = expected_new(x.rows, x.columns);
    for (size_t i = 0; i < length_of(x); ++i) {
        double left = (double)alpha * x.data[i], right = (double)beta * y.data[i];
        want.value.data[i] = left + right;
        want.bound.data[i] = 2.0 * EPS * (fabs(left) + fabs(right));
    }
    return want;
}

expected reference_softmax(array x)
{
    expected want = expected_new(x.rows, x.columns);
    for (int i = 0; i < x.rows; ++i) {
        double greatest = -INFINITY, sum = 0.0;
        for (int j = 0; j < x.columns; ++j)
            greatest = fmax(greatest, *at(x, i, j));
        for (int j = 0; j < x.columns; ++j)
            sum += exp(*at(x, i, j) - greatest);
        for (int j = 0; j < x.columns; ++j) {
            *at(want.value, i, j) = exp(*at(x, i, j) - greatest) / sum;
            *at(want.bound, i, j) = (64 + x.columns) * EPS;
        }
    }
    return want;
}
