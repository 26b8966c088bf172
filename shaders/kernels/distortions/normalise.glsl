// out = X / max(sqrt(SQUARES) factor, least), where SQUARES are the sums of the squares of rows.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = X_at(at, t) / max(sqrt(SQUARES_at(at, t)) * factor, TEXEL(least));
}
