//! use winner
// A step of GRLVQ's relevances, the weights of the features, in two passes. X has their square
// roots.
//   with SUMS, slices of the gradient   X^2 - rate * gradient, at least 0
//   without                             sqrt(X / sum of X): the relevances of the first pass, with
//                                       the sum 1. If the sum was 0, all become equal.
// Uniforms:
//   rate: with SUMS
//
// The first pass replaces four operations. Normalising by reductions and a division would take
// twice as long (784 features, llvmpipe).

#if HAS_SUMS

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL sum = TEXEL(0.0);
        for (int s = 0; s < SUMS_size.x; ++s)
            sum += SUMS_texel(s, block_texel(at, t));
        TEXEL root = X_at(at, t);
        tile[t] = max(root * root - rate * sum, 0.0);
    }
}

#else

void block(ivec2 at)
{
    vec4 sums = vec4(0.0);
    for (int q = 0; 4 * q < X_size.y; ++q)
        sums += X_edge_group(0, q) * is_column(q, X_size.y);
    float sum = (sums.x + sums.y) + (sums.z + sums.w);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = sum == 0.0 ? TEXEL(inversesqrt(float(X_size.y))) : sqrt(X_at(at, t) / sum);
}

#endif
