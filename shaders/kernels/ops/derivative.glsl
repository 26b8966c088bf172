//! use maps
// f'(x) * DY from Y = f(x), f by MAP.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = map_derivative(MAP, Y_at(at, t));
#if HAS_DY
        tile[t] *= DY_at(at, t);
#endif
    }
}
