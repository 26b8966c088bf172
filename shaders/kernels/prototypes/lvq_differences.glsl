//! use winner
// Row 2 i + e is the difference of sample i and its winner e, times the factor of its move where
// WEIGHTED; zero where the winner does not move.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int texel = block_texel(at, t);
        int i = row >> 1;
        tile[t] = TEXEL(0.0);
        if (i >= count)
            continue;
        vec4 moves = MOVES_quad(i, 0);
        int index = winner_index(moves, row & 1);
        float factor = winner_number(moves, row & 1);
        if (index >= 0 && factor != 0.0)
            tile[t] = (WEIGHTED == 1 ? factor : 1.0) * (X_texel(i, texel) - M_texel(index, texel));
    }
}
