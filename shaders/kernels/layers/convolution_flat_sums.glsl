//! use flat
// The sums of the gradient of a convolution of images of one channel: windows(A)' B.
// include/flat.glsl reads A; B is the delta of the output. The pixels are cut into slices, and each
// slice into pieces. The sums of the first pieces of all slices lie one below the other, then those
// of the second ones, and so on. A work group that sums the pieces leaves one sum for each slice.
// The sums of a piece have a row for each tap, with KERNEL_WIDTH padded to a multiple of four, and
// then one for the biases.
// Uniforms:
//   piece_length: pixels of a piece, a multiple of four
//   pieces: of a slice
//   cut_blocks: rows of blocks of the sums of one piece
//   slice_blocks: of the sums of one piece of all slices
#define FOURS ((KERNEL_WIDTH + 3) / 4) // of taps in a line of the kernel

#if IS_ALIGNED
// After all images.
#define NO_LINE (IMAGE_HEIGHT + PADDING_HEIGHT)

// Adds four pixels, the first of which is a multiple of four, to the four taps of a block. The
// factors of the biases are ones, as if outside of all images.
void add_pixels(int row, int four, ivec2 at)
{
    vec4 run[RUN_TEXELS(4)];
    ivec3 first = GRID_PIXEL(row);
    int ky = four / FOURS;
    int group = four - ky * FOURS;
    bool is_bias = ky == KERNEL_HEIGHT;
    for (int i = 0; i < RUN_TEXELS(4); ++i)
        run[i] = run_texel(first, is_bias ? NO_LINE : ky, group + i, is_bias ? 1.0 : 0.0);
    for (int i = 0; i < 4; ++i)
        for (int t = 0; t < TEXELS_ACROSS; ++t) {
            TEXEL delta = B_any_tile(ivec2(at.x, row >> 2), i, t);
            for (int r = 0; r < 4; ++r)
                tile[r * TEXELS_ACROSS + t] += RUN_ELEMENT(run, r + i) * delta;
        }
}
#define STEP 4
#else
void add_pixels(int row, int four, ivec2 at)
{
    ivec3 pixel = GRID_PIXEL(row);
    float elements[BLOCK_ROWS];
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int line = BLOCK_ROWS == 1 ? four : 4 * four + r;
        int ky = line / (4 * FOURS);
        elements[r] = ky == KERNEL_HEIGHT ? 1.0 : flat_element(pixel, ky, line - ky * 4 * FOURS);
    }
    for (int t = 0; t < TEXELS_ACROSS; ++t) {
        TEXEL delta = B_texel(row, block_texel(at, t));
        for (int r = 0; r < BLOCK_ROWS; ++r)
            tile[r * TEXELS_ACROSS + t] += elements[r] * delta;
    }
}
#define STEP 1
#endif

// A work group calls it for the sum of the pieces.
TEXEL finish(TEXEL sum, ivec2 at, int t)
{
    return sum;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
    int piece = at.y / slice_blocks;
    int y = at.y - piece * slice_blocks;
    int slice = y / cut_blocks;
    int begin = (slice * pieces + piece) * piece_length;
    int end = min(begin + piece_length, B_size.x);
    int row = begin;
    y -= slice * cut_blocks;
#if AHEAD
    // The fetches of two steps do not wait for each other.
    for (; row + 2 * STEP <= end; row += 2 * STEP)
        for (int i = 0; i < 2; ++i)
            add_pixels(row + i * STEP, y, at);
#endif
    for (; row < end; row += STEP)
        add_pixels(row, y, at);
}
