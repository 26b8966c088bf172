//! use own_rate
// OLVQ1: puts the rates into MOVES, whose factors are 1 or -1. A prototype's rate runs through all
// the samples that it wins, in their order, so that of a row follows from the rows above it.

float rate_of(int row, float index)
{
    float rate = RATES_element(0, int(index));
    for (int i = 0; i <= row; ++i) {
        vec4 moves = MOVES_quad(i, 0);
        if (moves.x == index)
            rate = next_rate(vec4(rate), sign(moves.y)).x;
    }
    return rate;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = min(block_row(at, t), MOVES_size.x - 1);
        int quad = block_column(at, t) >> 2;
        vec4 moves = MOVES_quad(row, quad);
        if (row < count && quad == 0 && moves.x >= 0.0)
            moves.y *= rate_of(row, moves.x);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = moves[(block_column(at, t) + c) & 3];
    }
}
