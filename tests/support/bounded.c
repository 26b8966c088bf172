#include "bounded.h"

#include "reference.h"

expected expected_new(int rows, int columns)
{
    return (expected){array_new(rows, columns), array_new(rows, columns)};
}

void set_bounded(expected *to, int row, int column, bounded from)
{
    *at(to->value, row, column) = from.value;
    *at(to->bound, row, column) = from.bound;
}

bounded get_bounded(const expected *from, int row, int column)
{
    return (bounded){*at(from->value, row, column),
                     from->bound.data ? *at(from->bound, row, column) : 0.0};
}

void add_product(product_sum *sum, bounded a, bounded b)
{
    sum->value += a.value * b.value;
    sum->size += (fabs(a.value) + a.bound) * (fabs(b.value) + b.bound);
    sum->spread += a.bound * (fabs(b.value) + b.bound) + fabs(a.value) * b.bound;
}

/* glnn/gemm.h: (k + 2) eps sum |a| |b|, for k terms. */
bounded finish_sum(const product_sum *sum, int terms)
{
    return (bounded){sum->value, sum->spread + (terms + 2) * EPS * sum->size};
}

bounded activate(glnn_map map, bounded z)
{
    const double y = glnn__reference_map(map, z.value);
    const double rounding = 64 * EPS * (1 + fabs(y));
    const bool is_negative = z.value + z.bound < 0;
    switch (map) {
    case GLNN_MAP_SIGMOID:
        return (bounded){y, z.bound / 4 + rounding};
    case GLNN_MAP_TANH:
        return (bounded){y, z.bound + rounding};
    case GLNN_MAP_SCALED_TANH:
        return (bounded){y, 1.7159 * 2 / 3 * z.bound + rounding};
    case GLNN_MAP_RELU:
        return (bounded){y, is_negative ? 0 : z.bound};
    case GLNN_MAP_LEAKY_RELU:
        return (bounded){y, (is_negative ? 0.01 : 1) * z.bound + 2 * EPS * fabs(y)};
    case GLNN_MAP_ELU:
    case GLNN_MAP_SOFTSIGN:
        return (bounded){y, z.bound + rounding};
    default:
        return z;
    }
}

/* f' in terms of y; where y may lie on either side of a bend, so may f'. */
bounded slope_of(glnn_map map, bounded y)
{
    const double value = glnn__reference_derivative(map, y.value);
    const double square = 2 * fabs(y.value) * y.bound + y.bound * y.bound;
    const bool bends = y.bound > 0 && fabs(y.value) <= y.bound;
    double spread = 0;
    switch (map) {
    case GLNN_MAP_SIGMOID:
        spread = y.bound + y.bound * y.bound;
        break;
    case GLNN_MAP_TANH:
        spread = square;
        break;
    case GLNN_MAP_SCALED_TANH:
        spread = 2.0 / 3 / 1.7159 * square;
        break;
    case GLNN_MAP_RELU:
        spread = bends ? 1 : 0;
        break;
    case GLNN_MAP_LEAKY_RELU:
        spread = bends ? 0.99 : 0;
        break;
    case GLNN_MAP_ELU:
        spread = y.bound;
        break;
    case GLNN_MAP_SOFTSIGN:
        spread = 2 * y.bound + y.bound * y.bound;
        break;
    default:
        break;
    }
    return (bounded){value, spread + 64 * EPS * (1 + fabs(value))};
}

bounded multiply(bounded a, bounded b)
{
    return (bounded){a.value * b.value, a.bound * (fabs(b.value) + b.bound) +
                                            fabs(a.value) * b.bound +
                                            2 * EPS * fabs(a.value * b.value)};
}
