//! use finish
// The sum of partial products that stand one below the other in P, in the order of their slices.
layout(location = INTEGER_0) uniform int slices;
layout(location = INTEGER_1) uniform int slice_blocks; // rows of blocks of one slice

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL sum = TEXEL(0.0);
        for (int s = 0; s < slices; ++s)
            sum += P_at(ivec2(at.x, at.y + s * slice_blocks), t);
        tile[t] = finish(sum, at, t);
    }
}
