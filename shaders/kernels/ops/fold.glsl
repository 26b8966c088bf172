//! use finish
// The second pass of a matrix product in slices: adds the partial products of all slices, in the
// order of the slices, and finishes the sum. The partial products lie one below the other in A.
// Without A the sum is 0.
// Uniforms:
//   slices: their number
//   slice_blocks: rows of blocks of one slice

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
#if HAS_A
    // The loop over slices is the outer one, so that the fetches of a block do not wait for
    // another.
    for (int s = 0; s < slices; ++s)
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            tile[t] += A_at(ivec2(at.x, at.y + s * slice_blocks), t);
#endif
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = finish(tile[t], at, t);
}
