//! use maps
//! use quotient
// The numbers of a sample in one row, ordered by channel, row and column, from X, which has a row
// of channels for each pixel. With Y = f(x) in the form of the output, the result is also
// multiplied by f'(x), f given by ACTIVATION.
// Uniforms:
//   plane: pixels of a sample

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int column = block_column(at, i);
        int first_channel = quotient(column, plane);
        int first_pixel = column - first_channel * plane;
        for (int r = 0; r < BLOCK_ROWS; ++r) {
            int row = (at.y * BLOCK_ROWS + r) * plane;
            int channel = first_channel;
            int pixel = first_pixel;
            for (int c = 0; c < TEXEL_COLUMNS; ++c) {
                COMPONENT(tile[r * TEXELS_ACROSS + i], c) =
                    X_edge_element(row + pixel, channel);
                ++pixel;
                channel += pixel == plane ? 1 : 0;
                pixel = pixel == plane ? 0 : pixel;
            }
        }
    }
#if HAS_Y
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
}
