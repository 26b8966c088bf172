// The squared norm of row j of X in column j. With MOVES, only where the first `count` rows of these
// name the row in column 0 or 2; the others are OLD.
layout(location = INTEGER_0) uniform int count;

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

float value_of(int row)
{
#if HAS_MOVES
    bool is_moved = false;
    for (int i = 0; i < count && !is_moved; ++i)
        is_moved = any(equal(MOVES_quad(i, 0).xz, vec2(row)));
    if (!is_moved)
        return OLD_element(0, row);
#endif
    return norm(row);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = TEXEL(0.0);
        if (block_row(at, t) == 0)
            for (int c = 0; c < TEXEL_COLUMNS; ++c)
                COMPONENT(tile[t], c) = value_of(min(block_column(at, t) + c, X_size.x - 1));
    }
}
