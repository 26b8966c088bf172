//! use maps
//! use quotient
// A row of channels for each pixel, from X, which has the numbers of a sample in one row, ordered
// by channel, row and column. With Y = f(x) in the form of the output, the result is also
// multiplied by f'(x), f given by ACTIVATION.
//
// If ALIGNED, a sample has a multiple of four pixels. Four pixels of a channel are then one column
// group of X, which fills a column of a block with four rows. If SINGLE, there is one channel.
// Uniforms:
//   plane: pixels of a sample
#define COLUMNS (SINGLE != 0 ? 1 : TEXEL_COLUMNS)

#if ALIGNED && BLOCK_ROWS == 4
// The four pixels from `pixel` on, of as many channels as a texel has from `channel` on.
void fetch_pixels(int from, int pixel, int channel, out TEXEL pixels[4])
{
    for (int r = 0; r < 4; ++r)
        pixels[r] = TEXEL(0.0);
    for (int c = 0; c < COLUMNS; ++c) {
        vec4 group = X_edge_group(from, ((channel + c) * plane + pixel) >> 2);
        for (int r = 0; r < 4; ++r)
            COMPONENT(pixels[r], c) = group[r];
    }
}
#endif

// A pixel's channels from `channel` on.
TEXEL fetch_pixel(int from, int pixel, int channel)
{
    TEXEL texel = TEXEL(0.0);
    for (int c = 0; c < COLUMNS; ++c)
        COMPONENT(texel, c) = X_edge_element(from, (channel + c) * plane + pixel);
    return texel;
}

void block(ivec2 at)
{
#if ALIGNED && BLOCK_ROWS == 4
    int row = at.y * BLOCK_ROWS;
    int from = quotient(row, plane);
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        TEXEL pixels[4];
        fetch_pixels(from, row - from * plane, block_column(at, i), pixels);
        for (int r = 0; r < BLOCK_ROWS; ++r)
            tile[r * TEXELS_ACROSS + i] = pixels[r];
    }
#else
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        int from = quotient(row, plane);
        for (int i = 0; i < TEXELS_ACROSS; ++i)
            tile[r * TEXELS_ACROSS + i] =
                fetch_pixel(from, row - from * plane, block_column(at, i));
    }
#endif
#if HAS_Y
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
}
