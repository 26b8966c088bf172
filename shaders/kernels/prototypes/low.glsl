// The low digits of prototypes after a move: the rounding error of HIGH + ADDED, which is a float
// too (Knuth 1969, section 4.2.2). ADDED are the former low digits and the move. `precise` keeps
// compilers from reducing the error to zero.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        precise TEXEL high = HIGH_at(at, t);
        precise TEXEL added = ADDED_at(at, t);
        precise TEXEL sum = high + added;
        precise TEXEL taken = sum - high;
        precise TEXEL low = (high - (sum - taken)) + (added - taken);
        tile[t] = low;
    }
}
