// The squared norm of row j of X in column j. Several rows of the output each have the part of every
// so manyth quad; they are summed by another pass.
float norm(int row, int part)
{
    int parts = output_size.x;
    vec4 squares = vec4(0.0);
    for (int q = part; q < X_size.y >> 2; q += parts) {
        vec4 x = X_quad(row, q);
        squares += x * x;
    }
    float rest = 0.0;
    for (int k = X_size.y & ~3; k < X_size.y && part == 0; ++k) {
        float x = X_element(row, k);
        rest += x * x;
    }
    return (squares.x + squares.y) + (squares.z + squares.w) + rest;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int part = block_row(at, t);
        tile[t] = TEXEL(0.0);
        if (part < output_size.x)
            for (int c = 0; c < TEXEL_COLUMNS; ++c)
                COMPONENT(tile[t], c) = norm(min(block_column(at, t) + c, X_size.x - 1), part);
    }
}
