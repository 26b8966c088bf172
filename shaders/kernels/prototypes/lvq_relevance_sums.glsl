//! use winner
// GRLVQ: row s is what the samples of slice s add to the sum of factor (x - m)^2 over both winners.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int texel = block_texel(at, t);
        int begin = block_row(at, t) * slice_samples;
        int end = min(begin + slice_samples, count);
        tile[t] = TEXEL(0.0);
        for (int i = begin; i < end; ++i) {
            vec4 moves = MOVES_quad(i, 0);
            TEXEL x = X_texel(i, texel);
            for (int e = 0; e < 2; ++e) {
                TEXEL difference = x - M_texel(max(winner_index(moves, e), 0), texel);
                tile[t] += winner_number(moves, e) * difference * difference;
            }
        }
    }
}
