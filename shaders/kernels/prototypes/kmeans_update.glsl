// A centre with the samples of a batch: the mean of the SIZE samples that it stood for (none, where
// there is no SIZE) and the WEIGHT new ones, whose sum is SUM. Without new ones it stays.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL centre = C_at(at, t);
        TEXEL sum = SUM_at(at, t);
        TEXEL weight = WEIGHT_at(at, t);
#if HAS_SIZE
        TEXEL size = SIZE_at(at, t);
        TEXEL mean = (size * centre + sum) / (size + weight);
#else
        TEXEL mean = sum / weight;
#endif
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) =
                COMPONENT(weight, c) > 0.0 ? COMPONENT(mean, c) : COMPONENT(centre, c);
    }
}
