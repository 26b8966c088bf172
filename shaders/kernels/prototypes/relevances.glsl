//! use winner
// A step of GRLVQ's relevances, in two passes. With SUMS, the slices of the gradient: relevances
// after the step, none of them negative, from their square roots in X. Without: the square roots of
// the relevances in X, which are first divided by their sum; if the sum is 0, all become equal.
// Uniforms:
//   rate: with SUMS
//
// Scaling by reductions and a division would take twice as long (784 features, llvmpipe), and the
// first pass is four operations.

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
