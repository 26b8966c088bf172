//! use maps
// alpha * f(X), f by MAP, or the caller's own expression.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL x = X_at(at, t);
#if MAP == MAP_EXPRESSION
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) =
                expression(COMPONENT(x, c), block_row(at, t), block_column(at, t) + c);
#else
        tile[t] = alpha * map_value(MAP, x);
#endif
    }
}
