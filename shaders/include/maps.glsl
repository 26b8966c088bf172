// Element-wise maps f and their derivatives in terms of y = f(x), by the numbers of glnn_map.
#define MAP_IDENTITY 0
#define MAP_SIGMOID 1
#define MAP_TANH 2
#define MAP_SCALED_TANH 3
#define MAP_RELU 4
#define MAP_LEAKY_RELU 5
#define MAP_SOFTPLUS 6
#define MAP_EXP 7
#define MAP_LOG 8
#define MAP_SQRT 9
#define MAP_THRESHOLD 10

// The exponent is kept negative, so that nothing overflows.
TEXEL stable_tanh(TEXEL x)
{
    TEXEL e = exp(-2.0 * abs(x));
    return sign(x) * (1.0 - e) / (1.0 + e);
}

// x where it is positive, else 0, but NaN stays NaN, which max does not promise: a network whose numbers
// have left their range has to show it in its loss.
float rectified(float x)
{
    return isnan(x) ? x : max(x, 0.0);
}

vec4 rectified(vec4 x)
{
    return mix(max(x, vec4(0.0)), x, isnan(x));
}

// 1 where x > 0, else 0
TEXEL is_positive(TEXEL x)
{
    return TEXEL(1.0) - step(x, TEXEL(0.0));
}

#define SCALED_TANH_HEIGHT 1.7159
#define SCALED_TANH_SLOPE (2.0 / 3.0)
#define LEAK 0.01

// map is a constant: all but one branch falls away.
TEXEL map_value(int map, TEXEL x)
{
    if (map == MAP_SIGMOID)
        return 1.0 / (1.0 + exp(-x));
    if (map == MAP_TANH)
        return stable_tanh(x);
    if (map == MAP_SCALED_TANH)
        return SCALED_TANH_HEIGHT * stable_tanh(SCALED_TANH_SLOPE * x);
    if (map == MAP_RELU)
        return rectified(x);
    if (map == MAP_LEAKY_RELU)
        return rectified(x) + LEAK * min(x, 0.0);
    if (map == MAP_SOFTPLUS)
        return max(x, 0.0) + log(1.0 + exp(-abs(x)));
    if (map == MAP_EXP)
        return exp(x);
    if (map == MAP_LOG)
        return log(x);
    if (map == MAP_SQRT)
        return sqrt(x);
    if (map == MAP_THRESHOLD)
        return is_positive(x);
    return x;
}

TEXEL map_derivative(int map, TEXEL y)
{
    if (map == MAP_SIGMOID)
        return y * (1.0 - y);
    if (map == MAP_TANH)
        return 1.0 - y * y;
    if (map == MAP_SCALED_TANH)
        return SCALED_TANH_SLOPE * (SCALED_TANH_HEIGHT - y * y / SCALED_TANH_HEIGHT);
    if (map == MAP_RELU)
        return is_positive(y);
    if (map == MAP_LEAKY_RELU)
        return LEAK + (1.0 - LEAK) * is_positive(y);
    if (map == MAP_SOFTPLUS)
        return 1.0 - exp(-y);
    if (map == MAP_EXP)
        return y;
    if (map == MAP_LOG)
        return exp(-y);
    if (map == MAP_SQRT)
        return 0.5 / y;
    if (map == MAP_THRESHOLD)
        return TEXEL(0.0);
    return TEXEL(1.0);
}
