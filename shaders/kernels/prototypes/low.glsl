//! use exact_sum
// The low digits of prototypes after a move: the rounding error of HIGH + ADDED. ADDED are the
// former low digits and the move.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        exact_sum(HIGH_at(at, t), ADDED_at(at, t), tile[t]);
}
