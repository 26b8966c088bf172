//! use maps
// out = f(X + Y), f given by ACTIVATION.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = map_value(ACTIVATION, X_at(at, t) + Y_at(at, t));
}
