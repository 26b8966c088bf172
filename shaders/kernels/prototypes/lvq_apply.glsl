//! use excess
// How prototypes move by what a batch has summed: SUMS of factor times sample, WEIGHTS of factors
// and of their absolute values. Beyond a sum of 1 the move is divided by that sum. With SCALES it is
// multiplied by their squares. ADD: the prototypes after it, not the move alone. PUSHES are the part
// of SUMS whose factors are negative; with them that part is limited as in members.glsl.
// excess: with PUSHES

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        float weight = WEIGHTS_edge_element(row, 0);
        float size = WEIGHTS_edge_element(row, 1);
        TEXEL m = M_at(at, t);
        TEXEL move = SUMS_at(at, t) - weight * m;
#if HAS_PUSHES
        float push_size = 0.5 * (size - weight);
        move -= excess_share(size, push_size, excess) * (PUSHES_at(at, t) + push_size * m);
#endif
        move /= max(size, 1.0);
#if HAS_SCALES
        TEXEL scale = SCALES_at(at, t);
        move *= scale * scale;
#endif
        tile[t] = ADD == 1 ? m + move : move;
    }
}
