//! use image_rows
//! use maps
// Images whose pixels are repeated FACTOR_HEIGHT x FACTOR_WIDTH times. The rows of A and of the
// output are pixels.
// Without BACKWARD, A has images of HEIGHT x WIDTH, and the output is the larger images.
// With BACKWARD, A is the delta of these. A pixel of the output is the sum of its repetitions,
// times f'(x) where Y = f(x) is given, with f given by ACTIVATION.

#if BACKWARD
TEXEL number_at(int row, int texel)
{
    ivec3 place = pixel_of(row, HEIGHT, WIDTH);
    int first = ((place.x * HEIGHT + place.y) * FACTOR_HEIGHT * WIDTH + place.z) * FACTOR_WIDTH;
    TEXEL sum = TEXEL(0.0);
    for (int v = 0; v < FACTOR_HEIGHT; ++v)
        for (int u = 0; u < FACTOR_WIDTH; ++u)
            sum += A_texel(first + v * WIDTH * FACTOR_WIDTH + u, texel);
    return sum;
}
#else
TEXEL number_at(int row, int texel)
{
    ivec3 place = pixel_of(row, HEIGHT * FACTOR_HEIGHT, WIDTH * FACTOR_WIDTH);
    return A_texel((place.x * HEIGHT + place.y / FACTOR_HEIGHT) * WIDTH + place.z / FACTOR_WIDTH,
                   texel);
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = number_at(block_row(at, t), block_texel(at, t));
#if HAS_Y
        tile[t] *= map_derivative(ACTIVATION, Y_at(at, t));
#endif
    }
}
