/* Operations element by element, and fills. */
#include <math.h>

#include "base/random.h"
#include "selftest/families.h"

double glnn__reference_map(glnn_map map, double x)
{
    switch (map) {
    case GLNN_MAP_SIGMOID:
        return 1.0 / (1.0 + exp(-x));
    case GLNN_MAP_TANH:
        return tanh(x);
    case GLNN_MAP_SCALED_TANH:
        return 1.7159 * tanh(2.0 * x / 3.0);
    case GLNN_MAP_RELU:
        return x > 0.0 || isnan(x) ? x : 0.0;
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
    case GLNN_MAP_ELU:
        return x > 0.0 ? x : expm1(x);
    case GLNN_MAP_SOFTSIGN:
        return x / (1.0 + fabs(x));
    case GLNN_MAP_IDENTITY:
    case GLNN_MAP_COUNT:
        break;
    }
    return x;
}

double glnn__reference_derivative(glnn_map map, double y)
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
    case GLNN_MAP_ELU:
        return y > 0.0 ? 1.0 : y + 1.0;
    case GLNN_MAP_SOFTSIGN:
        return (1.0 - fabs(y)) * (1.0 - fabs(y));
    case GLNN_MAP_IDENTITY:
    case GLNN_MAP_COUNT:
        break;
    }
    return 1.0;
}

double glnn__map_bound(glnn_map map, double y)
{
    switch (map) {
    case GLNN_MAP_IDENTITY:
    case GLNN_MAP_RELU:
    case GLNN_MAP_THRESHOLD:
        return 0.0;
    case GLNN_MAP_LEAKY_RELU:
        return ROUNDING * fabs(y);
    default:
        return 64.0 * ROUNDING * (1.0 + fabs(y));
    }
}

double glnn__slope_bound(glnn_map map, double y)
{
    return 64.0 * ROUNDING * (1.0 + fabs(glnn__reference_derivative(map, y)));
}

glnn_status glnn__run_map(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                          glnn_matrix *out)
{
    return glnn_map_apply(ctx, p->op->map, x[0], out);
}

void glnn__map_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = glnn__reference_map(p->op->map, element(p->operand[0], row, j));
        bound[j] = glnn__map_bound(p->op->map, value[j]);
    }
}

glnn_status glnn__run_derivative(glnn_context *ctx, const glnn__problem *p,
                                 const glnn_matrix *const x[], glnn_matrix *out)
{
    return glnn_map_apply_derivative(ctx, p->op->map, x[0], x[1], out);
}

void glnn__derivative_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        const double y = element(p->operand[0], row, j);
        const double delta = p->operand[1].data ? element(p->operand[1], row, j) : 1.0;
        value[j] = glnn__reference_derivative(p->op->map, y) * delta;
        bound[j] = glnn__slope_bound(p->op->map, y) * fabs(delta);
    }
}

glnn_status glnn__run_expression(glnn_context *ctx, const glnn__problem *p,
                                 const glnn_matrix *const x[], glnn_matrix *out)
{
    (void)p;
    return glnn_map_apply_expression(ctx, EXPRESSION, x[0], out);
}

/* Of a square and two sums, each is rounded once; the product with the row's number is exact. */
void glnn__expression_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        const double x = element(p->operand[0], row, j);
        value[j] = x * x + 100.0 * row + j;
        bound[j] = 3.0 * ROUNDING * value[j];
    }
}

static double binary_value(glnn_binary op, double x, double y)
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

glnn_status glnn__run_binary(glnn_context *ctx, const glnn__problem *p,
                             const glnn_matrix *const x[], glnn_matrix *out)
{
    return glnn_binary_apply(ctx, p->op->binary, x[0], x[1], out);
}

void glnn__binary_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const glnn__elements x = p->operand[0], y = p->operand[1];
    const glnn_binary op = p->op->binary;
    const bool exact = op == GLNN_BINARY_MAXIMUM || op == GLNN_BINARY_MINIMUM;
    const double roundings = exact ? 0.0 : op == GLNN_BINARY_DIVIDE ? 3.0 : 1.0;
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = binary_value(op, element(x, row % x.rows, j % x.columns),
                                element(y, row % y.rows, j % y.columns));
        bound[j] = roundings * ROUNDING * fabs(value[j]);
    }
}

glnn_status glnn__run_axpby(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                            glnn_matrix *out)
{
    return glnn_axpby(ctx, p->op->alpha, x[0], p->op->beta, out);
}

glnn_status glnn__run_axpy(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                           glnn_matrix *out)
{
    return glnn_axpy(ctx, p->op->alpha, x[0], out);
}

void glnn__axpby_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        const double left = (double)p->op->alpha * element(p->operand[0], row, j);
        const double right = (double)p->op->beta * element(p->former, row, j);
        value[j] = left + right;
        bound[j] = 2.0 * ROUNDING * (fabs(left) + fabs(right));
    }
}

glnn_status glnn__run_softmax(glnn_context *ctx, const glnn__problem *p,
                              const glnn_matrix *const x[], glnn_matrix *out)
{
    (void)p;
    return glnn_softmax(ctx, x[0], out);
}

void glnn__softmax_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const glnn__elements x = p->operand[0];
    double greatest = -INFINITY, sum = 0.0;
    for (int j = 0; j < x.columns; ++j)
        greatest = fmax(greatest, element(x, row, j));
    for (int j = 0; j < x.columns; ++j)
        sum += value[j] = exp(element(x, row, j) - greatest);
    for (int j = 0; j < x.columns; ++j) {
        value[j] /= sum;
        bound[j] = (64 + x.columns) * ROUNDING;
    }
}

/* ---- Fills: alpha and beta are the value, the range, or mean and deviation */

glnn_status glnn__run_fill(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                           glnn_matrix *out)
{
    (void)x;
    return glnn_fill(ctx, p->op->alpha, out);
}

void glnn__fill_row(const glnn__problem *p, int row, double *value, double *bound)
{
    (void)row;
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = (double)p->op->alpha;
        bound[j] = 0.0;
    }
}

/* The number u of glnn_fill_uniform, in [0, 1), with the third word of the counter. */
static double uniform_number(uint64_t seed, uint32_t stream, int row, int column)
{
    const uint32_t counter[4] = {(uint32_t)row, (uint32_t)column / 4, stream, 0};
    uint32_t words[4];
    glnn__philox(seed, counter, words);
    return (double)(words[column % 4] >> 8) * 0x1p-24;
}

glnn_status glnn__run_uniform(glnn_context *ctx, const glnn__problem *p,
                              const glnn_matrix *const x[], glnn_matrix *out)
{
    (void)x;
    return glnn_fill_uniform(ctx, p->op->seed, p->op->alpha, p->op->beta, out);
}

/* The rows' ranges leave nothing to round but the product. */
void glnn__uniform_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const double low = (double)p->op->alpha, width = (double)(p->op->beta - p->op->alpha);
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = (double)(float)(low + width * uniform_number(p->op->seed, 0, row, j));
        bound[j] = 0.0;
    }
}

glnn_status glnn__run_normal(glnn_context *ctx, const glnn__problem *p,
                             const glnn_matrix *const x[], glnn_matrix *out)
{
    (void)x;
    return glnn_fill_normal(ctx, p->op->seed, p->op->alpha, p->op->beta, out);
}

/* The header states no bound. This one lets log and cos err as the maps do, by 64 eps (1 + |y|);
 * near 0 the root widens the error of the logarithm. */
void glnn__normal_row(const glnn__problem *p, int row, double *value, double *bound)
{
    static const double two_pi = 6.283185307179586476925;
    const double mean = (double)p->op->alpha, deviation = (double)p->op->beta;
    for (int j = 0; j < p->out.columns; ++j) {
        const double logarithm = log(1.0 - uniform_number(p->op->seed, 1, row, j));
        const double angle = two_pi * uniform_number(p->op->seed, 2, row, j);
        const double radius = sqrt(-2.0 * logarithm);
        const double error = 128.0 * ROUNDING * (1.0 - logarithm);
        const double radius_error = fmin(sqrt(error), error / fmax(radius, 1e-30));
        value[j] = mean + deviation * radius * cos(angle);
        bound[j] = deviation * (radius_error + 128.0 * ROUNDING * radius) +
                   2.0 * ROUNDING * fabs(value[j]);
    }
}
