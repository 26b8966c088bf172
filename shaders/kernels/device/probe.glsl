// The limits of a stage: with PROBE 0 multiply-adds of registers alone, four a component of
// the block and turn; with 1 fetches, one a texel of the block and turn.

void block(ivec2 at)
{
    // All components differ, so that none can stand for another.
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = float(at.x + 4 * t + c);
    for (int i = 0; i < turns; ++i)
        for (int t = 0; t < BLOCK_TEXELS; ++t) {
#if PROBE == 0
            tile[t] = tile[t] * factor + 1.0;
            tile[t] = tile[t] * factor + 1.0;
            tile[t] = tile[t] * factor + 1.0;
            tile[t] = tile[t] * factor + 1.0;
#else
            tile[t] += X_tile(ivec2(i, at.y), t >> 1, t & 1);
#endif
        }
}
