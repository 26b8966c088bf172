//! use winner
// Sums of differences x - m between samples and their winners. Entry 2 i + e is winner e of sample
// i.
//
//   DIFFERENCE_PLAIN     x - m
//   DIFFERENCE_WEIGHTED  a (x - m), with the factor a of the winner's move
//   otherwise            a (x - m)^2, element by element
//
// Row r of the output is `weight` times the sum of `row_entries` entries, beginning with entry
// r * row_entries. Entries without a winner or with factor 0 are left out.
// Uniforms:
//   count: samples
//   row_entries: entries that a row sums
//   weight: of the sums
//
// Gathering the rows of the winners, subtracting, multiplying and reducing would take 2.3 times as
// long (128 samples of 784 features, llvmpipe).

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
        tile[t] *= weight;
    }
}
