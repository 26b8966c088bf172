//! use find_greatest
// The place of the greatest number of each window of pool.glsl with MAXIMUM, channel by channel:
// pixel (v, u) of the window is v * KERNEL_WIDTH + u.
TEXEL place_of(int row, int texel)
{
    TEXEL best, greatest;
    ivec3 place = pixel_of(row, OUT_HEIGHT, OUT_WIDTH);
    int y = place.y * STRIDE_HEIGHT - PADDING_HEIGHT;
    int x = place.z * STRIDE_WIDTH - PADDING_WIDTH;
    find_greatest((place.x * HEIGHT + y) * WIDTH + x, y, x, texel, best, greatest);
    return best;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = place_of(block_row(at, t), block_texel(at, t));
}
