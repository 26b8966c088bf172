// The functions f of glnn_map, and their derivatives f'(x) as functions of y = f(x).

// The exponent is never positive, so exp cannot overflow.
TEXEL stable_tanh(TEXEL x)
{
    TEXEL e = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - e) / (1.0 + e);
}

// max(x, 0), but NaN stays NaN, which GLSL's max does not promise. Numbers that overflowed in a
// network have to become visible in its loss.
float rectified(float x)
{
    return isnan(x) ? x : max(x, 0.0);
}

vec4 rectified(vec4 x)
{
    return mix(max(x, vec4(0.0)), x, isnan(x));
}

// 1 if x > 0, else 0.
TEXEL is_positive(TEXEL x)
{
    return TEXEL(1.0) - step(x, TEXEL(0.0));
}

#define SCALED_TANH_HEIGHT 1.7159
#define SCALED_TANH_SLOPE (2.0 / 3.0)
#define LEAK 0.01

// `map` is a constant, so the compiler drops all branches but one.
TEXEL map_value(int map, TEXEL x)
{
    if (map == GLNN_MAP_SIGMOID)
        return 1.0 / (1.0 + exp(-x));
    if (map == GLNN_MAP_TANH)
        return stable_tanh(x);
    if (map == GLNN_MAP_SCALED_TANH)
        return SCALED_TANH_HEIGHT * stable_tanh(SCALED_TANH_SLOPE * x);
    if (map == GLNN_MAP_RELU)
        return rectified(x);
    if (map == GLNN_MAP_LEAKY_RELU)
        return rectified(x) + LEAK * min(x, 0.0);
    if (map == GLNN_MAP_SOFTPLUS)
        return max(x, 0.0) + log(1.0 + exp(-abs(x)));
    if (map == GLNN_MAP_EXP)
        return exp(x);
    if (map == GLNN_MAP_LOG)
        return log(x);
    if (map == GLNN_MAP_SQRT)
        return sqrt(x);
    if (map == GLNN_MAP_THRESHOLD)
        return is_positive(x);
    if (map == GLNN_MAP_ELU)
        return rectified(x) + (exp(min(x, 0.0)) - 1.0);
    if (map == GLNN_MAP_SOFTSIGN)
        return x / (1.0 + abs(x));
    return x;
}

TEXEL map_derivative(int map, TEXEL y)
{
    if (map == GLNN_MAP_SIGMOID)
        return y * (1.0 - y);
    if (map == GLNN_MAP_TANH)
        return 1.0 - y * y;
    if (map == GLNN_MAP_SCALED_TANH)
        return SCALED_TANH_SLOPE * (SCALED_TANH_HEIGHT - y * y / SCALED_TANH_HEIGHT);
    if (map == GLNN_MAP_RELU)
        return is_positive(y);
    if (map == GLNN_MAP_LEAKY_RELU)
        return LEAK + (1.0 - LEAK) * is_positive(y);
    if (map == GLNN_MAP_SOFTPLUS)
        return 1.0 - exp(-y);
    if (map == GLNN_MAP_EXP)
        return y;
    if (map == GLNN_MAP_LOG)
        return exp(-y);
    if (map == GLNN_MAP_SQRT)
        return 0.5 / y;
    if (map == GLNN_MAP_THRESHOLD)
        return TEXEL(0.0);
    if (map == GLNN_MAP_ELU)
        return 1.0 + min(y, 0.0);
    if (map == GLNN_MAP_SOFTSIGN)
        return (1.0 - abs(y)) * (1.0 - abs(y));
    return TEXEL(1.0);
}
