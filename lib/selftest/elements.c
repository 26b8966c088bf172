/* Operations element by element, and fills. */
#include "base/random.h"
#include "selftest/families.h"

#include <math.h>

glnn_status glnn__run_map(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                          glnn_matrix *out)
{
    return glnn_map_apply(ctx, p->op->map, x[0], out);
}

void glnn__map_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = glnn__reference_map(p->op->map, glnn__element(p->operand[0], row, j));
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
        const double y = glnn__element(p->operand[0], row, j);
        const double delta = p->operand[1].data ? glnn__element(p->operand[1], row, j) : 1.0;
        value[j] = glnn__reference_derivative(p->op->map, y) * delta;
        bound[j] = glnn__slope_bound(p->op->map, y) * fabs(delta);
    }
}

glnn_status glnn__run_expression(glnn_context *ctx, const glnn__problem *p,
                                 const glnn_matrix *const x[], glnn_matrix *out)
{
    (void)p;
    return glnn_map_apply_expression(ctx, GLNN__EXPRESSION, x[0], out);
}

/* Of a square and two sums, each is rounded once; the product with the row's number is exact. */
void glnn__expression_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        const double x = glnn__element(p->operand[0], row, j);
        value[j] = x * x + 100.0 * row + j;
        bound[j] = 3.0 * GLNN__ROUNDING * value[j];
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
        value[j] = binary_value(op, glnn__element(x, row % x.rows, j % x.columns),
                                glnn__element(y, row % y.rows, j % y.columns));
        bound[j] = roundings * GLNN__ROUNDING * fabs(value[j]);
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
        const double left = (double)p->op->alpha * glnn__element(p->operand[0], row, j);
        const double right = (double)p->op->beta * glnn__element(p->former, row, j);
        value[j] = left + right;
        bound[j] = 2.0 * GLNN__ROUNDING * (fabs(left) + fabs(right));
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
        greatest = fmax(greatest, glnn__element(x, row, j));
    for (int j = 0; j < x.columns; ++j)
        sum += value[j] = exp(glnn__element(x, row, j) - greatest);
    for (int j = 0; j < x.columns; ++j) {
        value[j] /= sum;
        bound[j] = (64 + x.columns) * GLNN__ROUNDING;
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
        const double error = 128.0 * GLNN__ROUNDING * (1.0 - logarithm);
        const double radius_error = fmin(sqrt(error), error / fmax(radius, 1e-30));
        value[j] = mean + deviation * radius * cos(angle);
        bound[j] = deviation * (radius_error + 128.0 * GLNN__ROUNDING * radius) +
                   2.0 * GLNN__ROUNDING * fabs(value[j]);
    }
}
