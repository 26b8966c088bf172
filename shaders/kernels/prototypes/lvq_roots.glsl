//! use winner
// GRLVQ: the square roots of relevances, which are first divided by their sum; of a sum that is 0,
// equal ones are made.
void block(ivec2 at)
{
    vec4 sums = vec4(0.0);
    for (int q = 0; 4 * q < X_size.y; ++q)
        sums += X_edge_quad(0, q) * is_column(q, X_size.y);
    float sum = (sums.x + sums.y) + (sums.z + sums.w);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = sum == 0.0 ? TEXEL(inversesqrt(float(X_size.y))) : sqrt(X_at(at, t) / sum);
}
