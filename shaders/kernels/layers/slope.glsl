//! use maps
// out = D f'(x), where Y = f(x) and f is given by ACTIVATION. Without Y, f is the identity.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = D_at(at, t);
#if HAS_Y
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
    }
}
