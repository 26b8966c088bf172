/* References of what moves, makes or folds elements. */
#include "base/random.h"
#include "reference.h"

static const double two_pi = 6.283185307179586476925;

array reference_uniform(uint64_t seed, uint32_t stream, int rows, int columns)
{
    array u = array_new(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const uint32_t counter[4] = {(uint32_t)i, (uint32_t)j / 4, stream, 0};
            uint32_t words[4];
            glnn__philox(seed, counter, words);
            *at(u, i, j) = (double)(words[j % 4] >> 8) * 0x1p-24;
        }
    return u;
}

/* The header states no bound. This one lets log and cos err as the maps do, by 64 eps (1 + |y|);
 * near 0 the root widens the error of the logarithm. */
expected reference_normal(uint64_t seed, float mean, float deviation, int rows, int columns)
{
    array u = reference_uniform(seed, 1, rows, columns);
    array v = reference_uniform(seed, 2, rows, columns);
    expected want = {array_new(rows, columns), array_new(rows, columns)};
    for (size_t i = 0; i < length_of(u); ++i) {
        double logarithm = log(1.0 - u.data[i]);
        double radius = sqrt(-2.0 * logarithm);
        double error = 128.0 * EPS * (1.0 - logarithm);
        double radius_error = fmin(sqrt(error), error / fmax(radius, 1e-30));
        want.value.data[i] = (double)mean + (double)deviation * radius * cos(two_pi * v.data[i]);
        want.bound.data[i] = (double)deviation * (radius_error + 128.0 * EPS * radius) +
                             2.0 * EPS * fabs(want.value.data[i]);
    }
    return want;
}

/* The elements that are folded into one: data[start + i * step] for i < count. */
typedef struct line {
    const double *data;
    size_t start, step, count;
} line;

static double element(line from, size_t i)
{
    return from.data[from.start + i * from.step];
}

/* The extreme, or its index where `index` says so; NaN is passed over. */
static double extreme_of(line from, double sign, bool index)
{
    double best = -INFINITY;
    size_t place = 0;
    for (size_t i = 0; i < from.count; ++i)
        if (sign * element(from, i) > best) {
            best = sign * element(from, i);
            place = i;
        }
    return index ? (double)place : sign * best;
}

static double sum_of(line from, glnn_reduction reduction, int passes, double *bound)
{
    double sum = 0.0, magnitude = 0.0;
    for (size_t i = 0; i < from.count; ++i) {
        double x = element(from, i);
        double summand = reduction == GLNN_REDUCTION_SUM_OF_SQUARES ? x * x : x;
        sum += summand;
        magnitude += fabs(summand);
    }
    *bound = (32.0 * passes + 2.0) * EPS * magnitude;
    if (reduction != GLNN_REDUCTION_MEAN)
        return sum;
    *bound = *bound / (double)from.count + EPS * fabs(sum) / (double)from.count;
    return sum / (double)from.count;
}

static double log_sum_exp_of(line from, int passes, double *bound)
{
    double most = extreme_of(from, 1.0, false), sum = 0.0;
    for (size_t i = 0; i < from.count; ++i)
        sum += element(from, i) == most ? 1.0 : exp(element(from, i) - most);
    double result = most + log(sum);
    *bound = passes * (64.0 + 2.0 * fabs(result) + log((double)from.count)) * EPS;
    return result;
}

static double fold(line from, glnn_reduction reduction, int passes, double *bound)
{
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

expected reference_reduce(glnn_reduction reduction, glnn_axis axis, array x, int passes)
{
    int rows = axis == GLNN_AXIS_ROWS ? x.rows : 1;
    int columns = axis == GLNN_AXIS_COLUMNS ? x.columns : 1;
    expected want = {array_new(rows, columns), array_new(rows, columns)};
    for (size_t i = 0; i < length_of(want.value); ++i) {
        line from = {x.data, 0, 1, length_of(x)};
        if (axis == GLNN_AXIS_ROWS)
            from = (line){x.data, i * (size_t)x.columns, 1, (size_t)x.columns};
        else if (axis == GLNN_AXIS_COLUMNS)
            from = (line){x.data, i, (size_t)x.columns, (size_t)x.rows};
        want.value.data[i] = fold(from, reduction, passes, &want.bound.data[i]);
    }
    return want;
}

array reference_transpose(array x)
{
    array out = array_new(x.columns, x.rows);
    for (int i = 0; i < x.rows; ++i)
        for (int j = 0; j < x.columns; ++j)
            *at(out, j, i) = *at(x, i, j);
    return out;
}

array reference_copy_rect(array x, glnn_rect from, array out, int row, int column)
{
    array source = array_copy(x), target = array_copy(out);
    for (int i = 0; i < from.rows; ++i)
        for (int j = 0; j < from.columns; ++j)
            *at(target, row + i, column + j) = *at(source, from.row + i, from.column + j);
    return target;
}

array reference_gather_rows(array x, array index, int first, int count, int rows)
{
    array out = array_new(rows, x.columns);
    for (int i = 0; i < count; ++i) {
        double place = trunc(*at(index, first + i, 0));
        int row = (int)fmin(fmax(place, 0.0), x.rows - 1);
        for (int j = 0; j < x.columns; ++j)
            *at(out, i, j) = *at(x, row, j);
    }
    return out;
}
