//! use sample
// Row i is the row of X that sample i stands for; the rows behind the last sample are zero.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        TEXEL x = X_texel(sample_of(row), block_texel(at, t));
        tile[t] = row < count ? x : TEXEL(0.0);
    }
}
