// Measures the limits of a stage. With PROBE 0 it does multiply-adds in registers alone: in each
// turn, four for each element of the block. With PROBE 1 it fetches texels: in each turn, one for
// each texel of the block.
// Uniforms:
//   turns: turns of the loop
//   factor: of the multiply-adds

void block(ivec2 at)
{
    // All elements differ, so that the compiler cannot compute one of them for all.
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
