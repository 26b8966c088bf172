//! use greatest
//! use image_rows
// The greatest number of a window of an image X, channel by channel, and its place. The window's
// first pixel is row `first` of X and has the coordinates y and x. The first of equal numbers
// counts, and no pixel of the padding.
#if HAS_X
void find_greatest(int first, int y, int x, int texel, out TEXEL best, out TEXEL greatest)
{
    greatest = TEXEL(-INFINITY);
    best = TEXEL(max(-y, 0) * KERNEL_WIDTH + max(-x, 0));
    for (int v = 0; v < KERNEL_HEIGHT; ++v)
        for (int u = 0; u < KERNEL_WIDTH; ++u) {
            TEXEL value = X_texel(first + v * WIDTH + u, texel);
#if PADDING_HEIGHT > 0 || PADDING_WIDTH > 0
            value = is_within(y + v, x + u, HEIGHT, WIDTH) ? value : TEXEL(-INFINITY);
#endif
            best = where_greater(value, greatest, best, TEXEL(v * KERNEL_WIDTH + u));
            greatest = where_greater(value, greatest, greatest, value);
        }
}
#endif
