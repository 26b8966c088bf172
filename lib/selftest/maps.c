#include "selftest/maps.h"

#include <math.h>

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
        return GLNN__ROUNDING * fabs(y);
    default:
        return 64.0 * GLNN__ROUNDING * (1.0 + fabs(y));
    }
}

double glnn__slope_bound(glnn_map map, double y)
{
    return 64.0 * GLNN__ROUNDING * (1.0 + fabs(glnn__reference_derivative(map, y)));
}
