//! use maps
//! use quotient
// A row of channels for each pixel, from X, which has the numbers of a sample in one row, ordered
// by channel, row and column. With Y = f(x) in the form of the output, the result is also
// multiplied by f'(x), f given by ACTIVATION.
//
// If ALIGNED, a sample has a multiple of four pixels. Four pixels of a channel are then one column
// group of X, which fills a column of a block with four rows.
// Uniforms:
//   plane: pixels of a sample
//   channels: channels of a pixel

void block(ivec2 at)
{
#if ALIGNED && BLOCK_ROWS == 4
    int row = at.y * BLOCK_ROWS;
    int from = quotient(row, plane);
    int pixel = row - from * plane;
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int channel = block_column(at, i);
        for (int r = 0; r < BLOCK_ROWS; ++r)
            tile[r * TEXELS_ACROSS + i] = TEXEL(0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            if (channel + c >= channels)
                break;
            vec4 pixels = X_edge_group(from, ((channel + c) * plane + pixel) >> 2);
            for (int r = 0; r < BLOCK_ROWS; ++r)
                COMPONENT(tile[r * TEXELS_ACROSS + i], c) = pixels[r];
        }
    }
#else
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        int from = quotient(row, plane);
        int pixel = row - from * plane;
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            int channel = block_column(at, i);
            TEXEL texel = TEXEL(0.0);
            for (int c = 0; c < TEXEL_COLUMNS; ++c) {
                if (channel + c < channels)
                    COMPONENT(texel, c) = X_edge_element(from, (channel + c) * plane + pixel);
            }
            tile[r * TEXELS_ACROSS + i] = texel;
        }
    }
#endif
#if HAS_Y
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
}
