// The weights W times `kept`. The biases, which are row `features`, stay as they are.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = (block_row(at, t) < features ? kept : 1.0) * W_at(at, t);
}
