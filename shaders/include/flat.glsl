//! use window
// Windows of images of one channel, which A has one in a row: element (n, y * IMAGE_WIDTH + x) is
// pixel (y, x) of image n. The constants are those of include/window.glsl. A run is what four
// adjacent pixels of the grid see of a line of the image.

// Whether the four pixels of a tile see one line, at the same place of a column group.
#define IS_ALIGNED (BLOCK_ROWS == 4 && GRID_WIDTH % 4 == 0 && IMAGE_WIDTH % 4 == 0 && \
                    STRIDE_WIDTH == 1)

// Image and place (y, x) of a pixel of the grid.
#define GRID_PIXEL(row) pixel_of(row, GRID_HEIGHT, GRID_WIDTH)

// The number at a tap of the window of a pixel.
float flat_element(ivec3 pixel, int ky, int kx)
{
    ivec2 place = pixel.yz * ivec2(STRIDE_HEIGHT, STRIDE_WIDTH) -
                  ivec2(PADDING_HEIGHT, PADDING_WIDTH) + ivec2(ky, kx);
    float value = A_edge_element(pixel.x, place.x * IMAGE_WIDTH + place.y);
    return is_in_image(place) ? value : 0.0;
}

// The first element of a run lies RUN_SHIFT elements after the beginning of a column group.
#define RUN_SHIFT ((4 - PADDING_WIDTH % 4) % 4)
#define RUN_TEXELS(taps) ((RUN_SHIFT + (taps) + 6) / 4)
#define RUN_ELEMENT(run, i) run[(RUN_SHIFT + (i)) / 4][(RUN_SHIFT + (i)) % 4]

// Column group `group` of the run of four pixels, from tap 0 of kernel line ky on; `outside` where
// there is no image. The line and its padding are cut into groups, so a group is inside or outside
// as a whole.
vec4 run_texel(ivec3 first, int ky, int group, float outside)
{
    int y = first.y * STRIDE_HEIGHT - PADDING_HEIGHT + ky;
    int x = ((first.z - PADDING_WIDTH - RUN_SHIFT) >> 2) + group;
    vec4 value = A_edge_group(first.x, y * (IMAGE_WIDTH / 4) + x);
    bool is_inside =
        uint(y) < uint(IMAGE_HEIGHT) && uint(x) < uint(IMAGE_WIDTH / 4);
    return is_inside ? value : vec4(outside);
}
