//! use maps
// out = alpha f(X), with f chosen by MAP. With DERIVATIVE: out = f'(x) DY, where the operand X
// holds f(x) and a missing DY counts as ones. With MAP_EXPRESSION: out = expression(x, row,
// column), a function that the caller gave as text.

TEXEL mapped(ivec2 at, int t)
{
    TEXEL x = X_at(at, t);
#if MAP == MAP_EXPRESSION
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        COMPONENT(x, c) = expression(COMPONENT(x, c), block_row(at, t), block_column(at, t) + c);
    return x;
#elif DERIVATIVE && HAS_DY
    return map_derivative(MAP, x) * DY_at(at, t);
#elif DERIVATIVE
    return map_derivative(MAP, x);
#else
    return alpha * map_value(MAP, x);
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = mapped(at, t);
}
