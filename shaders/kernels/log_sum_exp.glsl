//! use log_sum_exp
// The logarithm of each row's sum of exponentials, in column 0.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = TEXEL(0.0);
        int row = block_row(at, t);
        if (block_column(at, t) == 0 && row < output_size.x)
            COMPONENT(tile[t], 0) = log_sum_exp(row);
    }
}
