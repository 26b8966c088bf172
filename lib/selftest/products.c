/* Matrix products and outer products. */
#include <math.h>
#include <string.h>

#include "selftest/families.h"

/* Operands of glnn_gemm behind a and b. */
enum { BIAS = 2, DERIVATIVE_OF = 3 };

glnn_status glnn__run_gemm(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                           glnn_matrix *out)
{
    glnn_gemm_desc desc = p->op->gemm;
    desc.bias = x[BIAS];
    desc.derivative_of = x[DERIVATIVE_OF];
    return glnn_gemm(ctx, &desc, p->op->alpha, x[0], x[1], p->op->beta, out);
}

/* Element (row, k) of op(a), whose further column or row that augment asks for is all ones. */
static double left_element(const glnn__problem *p, int row, int k)
{
    const glnn__elements a = p->operand[0];
    if (p->op->gemm.transpose_a)
        return row < a.columns ? glnn__element(a, k, row) : 1.0;
    return k < a.columns ? glnn__element(a, row, k) : 1.0;
}

/* A row of alpha op(a) op(b), and the sums of the absolute values of its terms. Returns how many
 * terms there are. */
static int add_products(const glnn__problem *p, int row, double *value, double *magnitude)
{
    const glnn_gemm_desc *d = &p->op->gemm;
    const glnn__elements a = p->operand[0], b = p->operand[1];
    const int inner = d->transpose_a ? a.rows : a.columns + (d->augment ? 1 : 0);
    const double alpha = (double)p->op->alpha;
    memset(value, 0, (size_t)p->out.columns * sizeof *value);
    memset(magnitude, 0, (size_t)p->out.columns * sizeof *magnitude);
    for (int k = 0; k < inner && alpha != 0; ++k) {
        const double left = alpha * left_element(p, row, k);
        for (int j = 0; j < p->out.columns; ++j) {
            const double term =
                left * (d->transpose_b ? glnn__element(b, j, k) : glnn__element(b, k, j));
            value[j] += term;
            magnitude[j] += fabs(term);
        }
    }
    return inner;
}

/* No map is used on a product where it is steeper than scaled_tanh in the origin. */
static const double steepest = 1.1440;

/* Turns the magnitude of one element into its bound, the documented (k + 2) roundings, and finishes
 * the value. Beta or a bias adds three roundings of all summands, and maps add their own. */
static void finish(const glnn__problem *p, int row, int column, int inner, double *value,
                   double *bound)
{
    const glnn_gemm_desc *d = &p->op->gemm;
    const double magnitude = *bound;
    const double beta = (double)p->op->beta;
    const double former = beta != 0 ? beta * glnn__element(p->former, row, column) : 0.0;
    const double bias = p->operand[BIAS].data ? glnn__element(p->operand[BIAS], 0, column) : 0.0;
    *bound = (inner + 2) * GLNN__ROUNDING * magnitude;
    if (beta != 0 || p->operand[BIAS].data)
        *bound += 3.0 * GLNN__ROUNDING * (magnitude + fabs(former) + fabs(bias));
    *value = glnn__reference_map(d->activation, *value + former + bias);
    if (d->activation != GLNN_MAP_IDENTITY)
        *bound = steepest * *bound + glnn__map_bound(d->activation, *value);
    if (p->operand[DERIVATIVE_OF].data) {
        const double y = glnn__element(p->operand[DERIVATIVE_OF], row, column);
        const double slope = glnn__reference_derivative(d->derivative, y);
        *bound = *bound * fabs(slope) + fabs(*value) * glnn__slope_bound(d->derivative, y);
        *value *= slope;
    }
}

void glnn__gemm_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const int inner = add_products(p, row, value, bound);
    for (int j = 0; j < p->out.columns; ++j)
        finish(p, row, j, inner, &value[j], &bound[j]);
}

glnn_status glnn__run_outer(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                            glnn_matrix *out)
{
    return glnn_outer(ctx, p->op->alpha, x[0], x[1], p->op->beta, out);
}

/* Where beta is not 0 its product is rounded too, and the sum. */
void glnn__outer_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const double beta = (double)p->op->beta;
    for (int j = 0; j < p->out.columns; ++j) {
        const double product =
            (double)p->op->alpha * (double)p->operand[0].data[row] * (double)p->operand[1].data[j];
        const double former = beta != 0 ? beta * glnn__element(p->former, row, j) : 0.0;
        value[j] = product + former;
        bound[j] = 2.0 * GLNN__ROUNDING * fabs(product);
        if (beta != 0)
            bound[j] += GLNN__ROUNDING * (fabs(former) + fabs(value[j]));
    }
}
