// The power of complex numbers: out = re^2 + im^2. X has the real parts in its first BINS columns,
// and the imaginary parts in as many columns after them. BINS is a multiple of four.
// With BACKWARD, D is the delta of the power, and the output that of X: 2 re D, and then 2 im D.
#define PART (BINS / TEXEL_COLUMNS)

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int texel = block_texel(at, t);
        TEXEL x = X_texel(row, texel);
#if BACKWARD
        tile[t] = 2.0 * x * D_texel(row, texel < PART ? texel : texel - PART);
#else
        TEXEL y = X_texel(row, texel + PART);
        tile[t] = x * x + y * y;
#endif
    }
}
