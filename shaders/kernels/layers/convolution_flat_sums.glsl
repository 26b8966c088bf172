//! use flat
// The sums of the gradient of a convolution of images of one channel: windows(A)' B.
// include/flat.glsl reads A; B is the delta of the output. The pixels of a line form groups of
// RUN_PIXELS, of which the last one can have fewer. The groups are cut into slices, and each slice
// into pieces. The sums of the first pieces of all slices lie one below the other, then those of
// the second ones, and so on. A work group that sums the pieces leaves one sum for each slice. The
// sums of a piece have a row for each tap, with KERNEL_WIDTH padded to a multiple of four, and then
// one for the biases. A block has RUN_TAPS taps.
// Uniforms:
//   piece_length: groups of pixels of a piece
//   pieces: of a slice
//   cut_blocks: rows of blocks of the sums of one piece
//   slice_blocks: of the sums of one piece of all slices
#define LINE_BLOCKS ((KERNEL_WIDTH + 3) / 4 * 4 / RUN_TAPS) // of a line of the kernel
#define LINE_GROUPS ((GRID_WIDTH + RUN_PIXELS - 1) / RUN_PIXELS)
#define REST (GRID_WIDTH % RUN_PIXELS) // pixels of the last group of a line; 0: all

// After all images.
#define NO_LINE (IMAGE_HEIGHT + PADDING_HEIGHT)

// Texel t of the delta of pixel i of the group that begins with pixel `row`, in column x of a line.
TEXEL delta_texel(int row, int x, int i, ivec2 at, int t)
{
#if BLOCK_ROWS == 4 && RUN_PIXELS == 4 && REST == 0
    return B_tile_of_block(ivec2(at.x, row >> 2), i, t);
#else
    TEXEL delta = B_texel(row + i, block_texel(at, t));
    return REST == 0 || i < REST || x + i < GRID_WIDTH ? delta : TEXEL(0.0);
#endif
}

// Adds a group of pixels to the taps of a block. The factors of the biases are ones, as if outside
// of all images.
void add_pixels(int group, int y, ivec2 at)
{
    float run[RUN_LENGTH];
    BLOCK_FLOATS factors[RUN_PIXELS];
    ivec3 first = pixel_of(group, GRID_HEIGHT, LINE_GROUPS);
    int ky = y / LINE_BLOCKS;
    bool is_bias = ky == KERNEL_HEIGHT;
    int row = (first.x * GRID_HEIGHT + first.y) * GRID_WIDTH + first.z * RUN_PIXELS;
    first.z *= RUN_PIXELS;
    read_run(first, is_bias ? NO_LINE : ky, (y - ky * LINE_BLOCKS) * RUN_TAPS, is_bias ? 1.0 : 0.0,
             run);
    for (int i = 0; i < RUN_PIXELS; ++i)
        for (int r = 0; r < BLOCK_ROWS; ++r)
            BLOCK_FLOAT(factors[i], r) = run[i * STRIDE_WIDTH + r];
    for (int i = 0; i < RUN_PIXELS; ++i) {
        BLOCK_FLOATS factor = factors[i];
        for (int t = 0; t < TEXELS_ACROSS; ++t) {
            TEXEL delta = delta_texel(row, first.z, i, at, t);
            for (int r = 0; r < BLOCK_ROWS; ++r)
                tile[r * TEXELS_ACROSS + t] += BLOCK_FLOAT(factor, r) * delta;
        }
    }
}

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
    int end = min(begin + piece_length, B_size.x / GRID_WIDTH * LINE_GROUPS);
    int group = begin;
    y -= slice * cut_blocks;
#if AHEAD
    // The fetches of two steps do not wait for each other.
    for (; group + 2 <= end; group += 2)
        for (int i = 0; i < 2; ++i)
            add_pixels(group + i, y, at);
#endif
    for (; group < end; ++group)
        add_pixels(group, y, at);
}
