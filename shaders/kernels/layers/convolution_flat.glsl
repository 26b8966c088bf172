//! use flat
//! use maps
// A convolution of images of one channel, directly: MAP(windows(A) B). include/flat.glsl reads A. B
// is the weights, four rows for each tap, with a last row of biases. In a matrix product three
// quarters of the inner indices would be padding.
#define BIASES (4 * KERNEL_HEIGHT * KERNEL_WIDTH)

#if IS_ALIGNED
void add_line(ivec3 first, int ky, ivec2 at)
{
    vec4 run[RUN_TEXELS(KERNEL_WIDTH)];
    for (int i = 0; i < RUN_TEXELS(KERNEL_WIDTH); ++i)
        run[i] = run_texel(first, ky, i, 0.0);
    for (int kx = 0; kx < KERNEL_WIDTH; ++kx)
        for (int t = 0; t < TEXELS_ACROSS; ++t) {
            TEXEL weights = B_any_tile(ivec2(at.x, ky * KERNEL_WIDTH + kx), 0, t);
            for (int r = 0; r < 4; ++r)
                tile[r * TEXELS_ACROSS + t] += RUN_ELEMENT(run, kx + r) * weights;
        }
}
#else
void add_line(ivec3 pixels[BLOCK_ROWS], int ky, ivec2 at)
{
    for (int kx = 0; kx < KERNEL_WIDTH; ++kx) {
        float elements[BLOCK_ROWS];
        for (int r = 0; r < BLOCK_ROWS; ++r)
            elements[r] = flat_element(pixels[r], ky, kx);
        for (int t = 0; t < TEXELS_ACROSS; ++t) {
            TEXEL weights = B_texel(4 * (ky * KERNEL_WIDTH + kx), block_texel(at, t));
            for (int r = 0; r < BLOCK_ROWS; ++r)
                tile[r * TEXELS_ACROSS + t] += elements[r] * weights;
        }
    }
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
#if IS_ALIGNED
    ivec3 pixels = GRID_PIXEL(at.y * BLOCK_ROWS);
#else
    ivec3 pixels[BLOCK_ROWS];
    for (int r = 0; r < BLOCK_ROWS; ++r)
        pixels[r] = GRID_PIXEL(at.y * BLOCK_ROWS + r);
#endif
    for (int ky = 0; ky < KERNEL_HEIGHT; ++ky)
        add_line(pixels, ky, at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = map_value(MAP, tile[t] + B_texel(BIASES, block_texel(at, t)));
}
