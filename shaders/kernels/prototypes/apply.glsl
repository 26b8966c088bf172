//! use excess
// How prototypes move by the sums of a batch: SUMS of factor times sample, WEIGHTS of factors and
// of their absolute values. The move is divided by the sum of absolute factors, if that is more
// than 1. With SCALES it is multiplied by their squares. ADD: the prototypes after it, not the move
// alone. PUSHES are the part of SUMS whose factors are negative; with them that part is limited as
// in scatter_add.glsl. With SIZE prototypes are means of so many samples, those in SUMS included,
// whose factors are 1; a prototype without new samples stays.
// Uniforms:
//   excess: with PUSHES
//
// The four arithmetic operations of a plain move would take 2.1 times as long (40 prototypes of 784
// features, llvmpipe).

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        float weight = WEIGHTS_edge_element(row, 0);
        TEXEL m = M_at(at, t);
#if HAS_SIZE
        float size = SIZE_edge_element(row, 0);
        tile[t] = weight > 0.0 ? ((size - weight) * m + SUMS_at(at, t)) / size : m;
#else
        float size = WEIGHTS_edge_element(row, 1);
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
#endif
    }
}
