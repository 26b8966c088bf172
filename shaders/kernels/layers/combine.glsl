//! use maps
// out = f of the sum of the operands, or with PRODUCT of their product; f is given by ACTIVATION.
#if PRODUCT
#define COMBINED(a, b) ((a) * (b))
#else
#define COMBINED(a, b) ((a) + (b))
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL texel = COMBINED(FIRST_at(at, t), SECOND_at(at, t));
#if HAS_THIRD
        texel = COMBINED(texel, THIRD_at(at, t));
#endif
#if HAS_FOURTH
        texel = COMBINED(texel, FOURTH_at(at, t));
#endif
        tile[t] = map_value(ACTIVATION, texel);
    }
}
