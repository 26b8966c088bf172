//! use winner
// Sums over entries of the difference x - m of a sample and a winner, by DIFFERENCE: as it is,
// times the factor of the winner's move, or squared, times that factor. Entry 2 i + e is the e-th
// winner of sample i. Row r sums `row_entries` entries from r times as many on, those that move.
// Uniforms:
//   count: samples
//   row_entries
//
// Gathering the winners' rows, subtracting, multiplying and reducing would take 2.3 times as long
// (128 samples of 784 features, llvmpipe).

TEXEL term(float factor, TEXEL difference)
{
#if DIFFERENCE == DIFFERENCE_PLAIN
    return difference;
#elif DIFFERENCE == DIFFERENCE_WEIGHTED
    return factor * difference;
#else
    return factor * difference * difference;
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int texel = block_texel(at, t);
        int begin = block_row(at, t) * row_entries;
        int end = min(begin + row_entries, 2 * count);
        tile[t] = TEXEL(0.0);
        for (int entry = begin; entry < end; ++entry) {
            vec4 moves = MOVES_group(entry >> 1, 0);
            int index = winner_index(moves, entry & 1);
            float factor = winner_number(moves, entry & 1);
            if (index >= 0 && factor != 0.0)
                tile[t] += term(factor, X_texel(entry >> 1, texel) - M_texel(index, texel));
        }
    }
}
