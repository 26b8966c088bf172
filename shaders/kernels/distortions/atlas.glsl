// Copies images to an atlas: image n is strip n, and row n / strips of the atlas has `strips` of
// them next to each other. A strip has the channels of its image side by side, each after a column
// of the background and below a row of it. Texels without a pixel are background.
// Constants: CHANNELS, HEIGHT and WIDTH of an image.
// Uniforms:
//   strips: in a row of the atlas
//   images: the rows of X that are images
//   background: a pixel around the images

float pixel(int row, int column)
{
    ivec2 place = ivec2(column, row) / ivec2(WIDTH + 1, HEIGHT + 1);
    ivec2 at = ivec2(column, row) - place * ivec2(WIDTH + 1, HEIGHT + 1) - 1;
    int strip = place.x / CHANNELS;
    int channel = place.x - strip * CHANNELS;
    int image = place.y * strips + strip;
    if (at.x < 0 || at.y < 0 || strip >= strips || image >= images)
        return background;
    return X_element(image, (channel * HEIGHT + at.y) * WIDTH + at.x);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = pixel(block_row(at, t), block_column(at, t) + c);
}
