//! use finish
// The sum of partial products that stand one below the other in A, in the order of their slices.
// Uniforms:
//   slices: their number
//   slice_blocks: rows of blocks of one slice

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
#if HAS_A
    // Slices outside: the fetches of a block do not wait for each other.
    for (int s = 0; s < slices; ++s)
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            tile[t] += A_at(ivec2(at.x, at.y + s * slice_blocks), t);
#endif
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = finish(tile[t], at, t);
}
