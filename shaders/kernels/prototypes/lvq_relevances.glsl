// GRLVQ: relevances after a step, not negative, from their ROOTS and the slices of the gradient.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int texel = block_texel(at, t);
        TEXEL sum = TEXEL(0.0);
        for (int s = 0; s < SUMS_size.x; ++s)
            sum += SUMS_texel(s, texel);
        TEXEL root = ROOTS_at(at, t);
        tile[t] = max(root * root - rate * sum, 0.0);
    }
}
