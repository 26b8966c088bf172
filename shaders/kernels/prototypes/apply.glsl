//! use excess
// Moves the prototypes M by the sums of a batch. A sample x with factor a contributes a (x - m).
// SUMS has the sums of a x, so the move of a prototype is SUMS - (sum of a) m. WEIGHTS has the sum
// of a in column 0 and the sum of |a| in column 1. The move is divided by the sum of |a| if that
// exceeds 1.
//
//   ADD     The output is the moved prototypes; without, the moves alone.
//   SCALES  The move is multiplied by the squares of these.
//   PUSHES  The part of SUMS with negative factors, which is then limited (excess.glsl). The
//           uniform `excess` is its limit.
//   SIZE    The number of samples of which each prototype is the mean, those in SUMS included. All
//           factors are 1, and a prototype without new samples stays.
//
// The four operations of a plain move would take 2.1 times as long (40 prototypes of 784 features,
// llvmpipe).

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
