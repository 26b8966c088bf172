// The squared norm of row j of X in column j.
float norm(int row)
{
    vec4 squares = vec4(0.0);
    for (int q = 0; q < X_size.y >> 2; ++q) {
        vec4 x = X_quad(row, q);
        squares += x * x;
    }
    float rest = 0.0;
    for (int k = X_size.y & ~3; k < X_size.y; ++k) {
        float x = X_element(row, k);
        rest += x * x;
    }
    return (squares.x + squares.y) + (squares.z + squares.w) + rest;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = TEXEL(0.0);
        if (block_row(at, t) == 0)
            for (int c = 0; c < TEXEL_COLUMNS; ++c)
                COMPONENT(tile[t], c) = norm(min(block_column(at, t) + c, X_size.x - 1));
    }
}
