//! use greatest
//! use image_rows
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
    return where_greater(x, former, former, x);
#else
    return former + x * (1.0 / float(KERNEL_HEIGHT * KERNEL_WIDTH));
#endif
}

// A window whose first pixel is row `first` of X and has the coordinates y and x. It becomes
// an element of `tile` when it is complete, because some compilers keep an array in slow memory if
// a loop over it is long.
TEXEL pooled(int first, int y, int x, int texel)
{
    TEXEL result = START;
    for (int v = 0; v < KERNEL_HEIGHT; ++v)
        for (int u = 0; u < KERNEL_WIDTH; ++u) {
            TEXEL value = X_texel(first + v * WIDTH + u, texel);
#if PADDING_HEIGHT > 0 || PADDING_WIDTH > 0
            value = is_within(y + v, x + u, HEIGHT, WIDTH) ? value : START;
#endif
            result = fold(result, value);
        }
    return result;
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        ivec3 place = pixel_of(at.y * BLOCK_ROWS + r, OUT_HEIGHT, OUT_WIDTH);
        int y = place.y * STRIDE_HEIGHT - PADDING_HEIGHT;
        int x = place.z * STRIDE_WIDTH - PADDING_WIDTH;
        int first = (place.x * HEIGHT + y) * WIDTH + x;
        for (int i = 0; i < TEXELS_ACROSS; ++i)
            tile[r * TEXELS_ACROSS + i] = pooled(first, y, x, block_texel(at, i));
    }
}
