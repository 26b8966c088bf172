//! use row_stats
// Each row's greatest element in column 0, and in column 1 the logarithm of its sum of exponentials.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = TEXEL(0.0);
        int row = block_row(at, t);
        int column = block_column(at, t);
        if (row >= output_size.x || column >= output_size.y)
            continue;
        vec2 stats = row_stats(row);
#if TEXEL_COLUMNS == 1
        tile[t] = stats[column];
#else
        tile[t].xy = stats;
#endif
    }
}
