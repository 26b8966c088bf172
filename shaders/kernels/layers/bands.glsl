//! use image_rows
// Frames of bands as images of one channel, which have a row of pixels for each band.
// Without BACKWARD, X has a row for each frame, with a column for each of the BANDS. Frame t of
// sample n is in row n * FRAMES + t. Its band b goes to row (n * BANDS + b) * FRAMES + t of the
// output. With BACKWARD, X has such pixels, and the output has the frames.

#if BACKWARD
float number_at(int row, int column)
{
    ivec3 place = pixel_of(row, 1, FRAMES);
    return X_edge_element((place.x * BANDS + column) * FRAMES + place.z, 0);
}
#else
float number_at(int row, int column)
{
    ivec3 place = pixel_of(row, BANDS, FRAMES);
    return X_edge_element(place.x * FRAMES + place.z, place.y);
}
#endif

// An image has one column.
#define COLUMNS (BACKWARD != 0 ? TEXEL_COLUMNS : 1)

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = TEXEL(0.0);
        for (int c = 0; c < COLUMNS; ++c)
            if (block_column(at, t) + c < output_size.y)
                COMPONENT(tile[t], c) = number_at(block_row(at, t), block_column(at, t) + c);
    }
}
