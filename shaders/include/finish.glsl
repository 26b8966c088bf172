//! use maps
// The end of a matrix product: f(alpha sum + beta C + BIAS) g'(Y). C, BIAS and Y are optional
// operands. ACTIVATION is f, DERIVATIVE is g, and g' is computed from Y = g(x).

TEXEL finish(TEXEL sum, ivec2 at, int t)
{
    TEXEL x = alpha * sum;
#if HAS_C
    x += beta * C_at(at, t);
#endif
#if HAS_BIAS
    x += BIAS_at(at, t);
#endif
    x = map_value(ACTIVATION, x);
#if HAS_Y
    x *= map_derivative(DERIVATIVE, Y_at(at, t));
#endif
    return x;
}
