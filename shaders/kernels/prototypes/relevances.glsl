// GRLVQ: the square ROOTS of relevances after a step by the slices of the gradient in SUMS; their
// squares do not sum to 1 yet. Relevances do not fall below a least number, so that a sum of none
// cannot be 0.
// Uniforms:
//   rate
#define LEAST 1e-30

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int texel = block_texel(at, t);
        TEXEL sum = TEXEL(0.0);
        for (int s = 0; s < SUMS_size.x; ++s)
            sum += SUMS_texel(s, texel);
        TEXEL root = ROOTS_at(at, t);
        tile[t] = sqrt(max(root * root - rate * sum, LEAST));
    }
}
