//! use sample
// Row i is the row of X that sample i stands for; the rows behind the last sample are zero.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        tile[t] = TEXEL(0.0);
        if (row < count)
            tile[t] = X_texel(sample_of(row), block_column(at, t) / TEXEL_COLUMNS);
    }
}
