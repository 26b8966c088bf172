// exp(x - the logarithm of the row's sum of exponentials, which is STATS)
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = exp(X_at(at, t) - STATS_at(at, t));
}
