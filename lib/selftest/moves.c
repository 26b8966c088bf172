/* Operations that move elements or fold them into fewer. */
#include <math.h>

#include "selftest/families.h"

glnn_status glnn__run_copy(glnn_context *ctx, const glnn__problem *p, const glnn_matrix *const x[],
                           glnn_matrix *out)
{
    (void)p;
    return glnn_copy(ctx, x[0], out);
}

void glnn__copy_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = glnn__element(p->operand[0], row, j);
        bound[j] = 0;
    }
}

glnn_status glnn__run_copy_rect(glnn_context *ctx, const glnn__problem *p,
                                const glnn_matrix *const x[], glnn_matrix *out)
{
    return glnn_copy_rect(ctx, x[0], &p->from, out, p->row, p->column);
}

void glnn__copy_rect_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const int i = row - p->row;
    for (int j = 0; j < p->out.columns; ++j) {
        const int k = j - p->column;
        const bool is_inside = i >= 0 && i < p->from.rows && k >= 0 && k < p->from.columns;
        value[j] = is_inside ? glnn__element(p->operand[0], p->from.row + i, p->from.column + k)
                             : glnn__element(p->former, row, j);
        bound[j] = 0;
    }
}

glnn_status glnn__run_transpose(glnn_context *ctx, const glnn__problem *p,
                                const glnn_matrix *const x[], glnn_matrix *out)
{
    (void)p;
    return glnn_transpose(ctx, x[0], out);
}

void glnn__transpose_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = glnn__element(p->operand[0], j, row);
        bound[j] = 0;
    }
}

glnn_status glnn__run_gather(glnn_context *ctx, const glnn__problem *p,
                             const glnn_matrix *const x[], glnn_matrix *out)
{
    return glnn_gather_rows(ctx, x[0], x[1], p->first, p->count, out);
}

void glnn__gather_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const glnn__elements x = p->operand[0];
    const double index =
        row < p->count ? trunc(glnn__element(p->operand[1], p->first + row, 0)) : 0;
    const int from = (int)fmin(fmax(index, 0.0), x.rows - 1);
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = row < p->count ? glnn__element(x, from, j) : 0;
        bound[j] = 0;
    }
}

glnn_status glnn__run_scatter(glnn_context *ctx, const glnn__problem *p,
                              const glnn_matrix *const x[], glnn_matrix *out)
{
    return glnn_scatter_add_rows(ctx, p->op->alpha, x[0], x[1], p->op->beta, out);
}

void glnn__scatter_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const glnn__elements x = p->operand[0];
    for (int j = 0; j < p->out.columns; ++j) {
        value[j] = (double)p->op->beta * glnn__element(p->former, row, j);
        bound[j] = fabs(value[j]);
        int count = 0;
        for (int i = 0; i < x.rows; ++i) {
            if (trunc(glnn__element(p->operand[1], i, 0)) != row)
                continue;
            const double term = (double)p->op->alpha * glnn__element(x, i, j);
            value[j] += term;
            bound[j] += fabs(term);
            ++count;
        }
        bound[j] *= (count + 2) * 0x1p-24;
    }
}

/* ---- Reductions */

/* The elements that are folded into one: data[i * step] for i < count. */
typedef struct line {
    const float *data;
    size_t step, count;
} line;

static double line_element(line from, size_t i)
{
    return (double)from.data[i * from.step];
}

/* The extreme, or its index where `index` says so; NaN is passed over. */
static double extreme_of(line from, double sign, bool index)
{
    double best = -INFINITY;
    size_t place = 0;
    for (size_t i = 0; i < from.count; ++i)
        if (sign * line_element(from, i) > best) {
            best = sign * line_element(from, i);
            place = i;
        }
    return index ? (double)place : sign * best;
}

static double sum_of(line from, glnn_reduction reduction, double passes, double *bound)
{
    double sum = 0.0, magnitude = 0.0;
    for (size_t i = 0; i < from.count; ++i) {
        const double x = line_element(from, i);
        const double summand = reduction == GLNN_REDUCTION_SUM_OF_SQUARES ? x * x : x;
        sum += summand;
        magnitude += fabs(summand);
    }
    *bound = (32.0 * passes + 2.0) * GLNN__ROUNDING * magnitude;
    if (reduction != GLNN_REDUCTION_MEAN)
        return sum;
    *bound = (*bound + GLNN__ROUNDING * fabs(sum)) / (double)from.count;
    return sum / (double)from.count;
}

static double log_sum_exp_of(line from, double passes, double *bound)
{
    const double most = extreme_of(from, 1.0, false);
    double sum = 0.0;
    for (size_t i = 0; i < from.count; ++i)
        sum += line_element(from, i) == most ? 1.0 : exp(line_element(from, i) - most);
    const double result = most + log(sum);
    *bound = passes * (64.0 + 2.0 * fabs(result) + log((double)from.count)) * GLNN__ROUNDING;
    return result;
}

static double fold(line from, glnn_reduction reduction, double passes, double *bound)
{
    *bound = 0;
    switch (reduction) {
    case GLNN_REDUCTION_MAX:
        return extreme_of(from, 1.0, false);
    case GLNN_REDUCTION_MIN:
        return extreme_of(from, -1.0, false);
    case GLNN_REDUCTION_ARGMAX:
        return extreme_of(from, 1.0, true);
    case GLNN_REDUCTION_ARGMIN:
        return extreme_of(from, -1.0, true);
    case GLNN_REDUCTION_LOGSUMEXP:
        return log_sum_exp_of(from, passes, bound);
    default:
        return sum_of(from, reduction, passes, bound);
    }
}

glnn_status glnn__run_reduce(glnn_context *ctx, const glnn__problem *p,
                             const glnn_matrix *const x[], glnn_matrix *out)
{
    return glnn_reduce(ctx, p->op->reduction, p->op->axis, x[0], out);
}

/* One pass for each factor of 32 by which a side shrinks, and at least one. */
static double most_passes(int rows, int columns)
{
    return ceil(log(fmax(fmax(rows, columns), 2)) / log(32));
}

void glnn__reduce_row(const glnn__problem *p, int row, double *value, double *bound)
{
    const glnn__elements x = p->operand[0];
    const size_t rows = (size_t)x.rows, columns = (size_t)x.columns;
    const glnn_axis axis = p->op->axis;
    const double passes = p->passes > 0 ? p->passes
                                        : most_passes(axis == GLNN_AXIS_ROWS ? 1 : x.rows,
                                                      axis == GLNN_AXIS_COLUMNS ? 1 : x.columns);
    for (size_t j = 0; j < (size_t)p->out.columns; ++j) {
        line from = {x.data, 1, rows * columns};
        if (axis == GLNN_AXIS_ROWS)
            from = (line){x.data + (size_t)row * columns, 1, columns};
        else if (axis == GLNN_AXIS_COLUMNS)
            from = (line){x.data + j, columns, rows};
        value[j] = fold(from, p->op->reduction, passes, &bound[j]);
    }
}
