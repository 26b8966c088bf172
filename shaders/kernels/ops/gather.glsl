//! use sample
// Row i of the output is row sample_of(i) of X: the samples of a batch, gathered from the data set.
// The rows after the last sample become zero.
void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        int key = sample_of(row);
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            TEXEL x = X_texel(key, block_texel(at, i));
            tile[r * TEXELS_ACROSS + i] = row < count ? x : TEXEL(0.0);
        }
    }
}
