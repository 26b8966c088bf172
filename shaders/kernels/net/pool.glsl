//! use greatest
// The greatest number, or the mean, of each window of an image X, channel by channel. The rows of X
// and of the output are pixels. A window begins STRIDE after its neighbour. Pixels of the padding
// change no maximum and count as zeros of a mean.
#if MAXIMUM
#define START TEXEL(-INFINITY)
#else
#define START TEXEL(0.0)
#endif

TEXEL fold(TEXEL former, TEXEL x)
{
#if MAXIMUM
    return mix(former, x, exceeds(x, former));
#else
    return former + x;
#endif
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int line = (at.y * BLOCK_ROWS + r) / OUT_WIDTH;
        int image = line / OUT_HEIGHT;
        int y = (line - image * OUT_HEIGHT) * STRIDE_HEIGHT - PADDING_HEIGHT;
        int x = (at.y * BLOCK_ROWS + r - line * OUT_WIDTH) * STRIDE_WIDTH - PADDING_WIDTH;
        int first = (image * HEIGHT + y) * WIDTH + x;
        for (int i = 0; i < TEXELS_ACROSS; ++i)
            tile[r * TEXELS_ACROSS + i] = START;
        for (int v = 0; v < KERNEL_HEIGHT; ++v)
            for (int u = 0; u < KERNEL_WIDTH; ++u) {
#if PADDING_HEIGHT > 0 || PADDING_WIDTH > 0
                if (y + v < 0 || y + v >= HEIGHT || x + u < 0 || x + u >= WIDTH)
                    continue;
#endif
                for (int i = 0; i < TEXELS_ACROSS; ++i)
                    tile[r * TEXELS_ACROSS + i] =
                        fold(tile[r * TEXELS_ACROSS + i],
                             X_texel(first + v * WIDTH + u, block_texel(at, i)));
            }
    }
#if !MAXIMUM
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] *= 1.0 / float(KERNEL_HEIGHT * KERNEL_WIDTH);
#endif
}
