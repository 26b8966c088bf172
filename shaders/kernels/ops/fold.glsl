//! use finish
//! use window
// The second pass of a matrix product in slices: adds the partial products of all slices, in the
// order of the slices, and finishes the sum. The partial products lie one below the other in A.
// Without A the sum is 0. With WINDOW_FLAT the output is the weights of a convolution of one
// channel, and the partial products have a row for each tap, as convolution_flat_sums.glsl says. If
// PHASED, their rows are ordered by phase, as include/window.glsl says.
// Uniforms:
//   slices: their number
//   slice_blocks: rows of blocks of one slice
// With AHEAD, more fetches do not wait for each other.

// Slices that are fetched at a time if the rows keep their order.
#define PLAIN_ADDED (32 / BLOCK_TEXELS)

#if WINDOW == WINDOW_FLAT
#define ADDED (AHEAD == 1 ? 16 : 8) // slices at a time, whose fetches do not wait for each other

// The row of the partial products that belongs to a row of the output; -1: the sum is 0, because a
// channel that pads has none.
int row_of(int row)
{
    int tap = row >> 2;
    int ky = tap / KERNEL_WIDTH;
    return (row & 3) > 0 ? -1 : ky * ((KERNEL_WIDTH + 3) / 4 * 4) + tap - ky * KERNEL_WIDTH;
}
#elif PHASED
#define ADDED 1

// The same. Pixels of a phase without taps have no row.
int row_of(int row)
{
    ivec3 pixel = pixel_of(row, GRID_HEIGHT, GRID_WIDTH);
    ivec2 from = pixel.yz + PADDING;
    ivec2 phase = phase_of(from);
    ivec2 place = from / STRIDE - PADDING / STRIDE;
    if (phase.x >= PHASES_HEIGHT || phase.y >= PHASES_WIDTH)
        return -1;
    return (phase.x * PHASES_WIDTH + phase.y) * phase_rows() +
           (pixel.x * PLACES_HEIGHT + place.x) * PLACES_WIDTH + place.y;
}
#endif

#if WINDOW == WINDOW_FLAT || PHASED
// As many texels of a row at a time.
#define TOGETHER (AHEAD == 1 ? TEXELS_ACROSS : 1)

// Texels t to t + TOGETHER - 1 of the block, which are in one row.
void add_slices(ivec2 at, int t)
{
    int row = row_of(block_row(at, t));
    for (int s = 0; s < slices && row >= 0; s += ADDED) {
        TEXEL sums[ADDED * TOGETHER];
        for (int i = 0; i < ADDED * TOGETHER; ++i)
            sums[i] = A_texel((s + i / TOGETHER) * slice_blocks * BLOCK_ROWS + row,
                              block_texel(at, t + i % TOGETHER));
        for (int i = 0; i < ADDED * TOGETHER; ++i)
            tile[t + i % TOGETHER] += s + i / TOGETHER < slices ? sums[i] : TEXEL(0.0);
    }
}
#endif

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
#if WINDOW == WINDOW_FLAT || PHASED
    for (int t = 0; t < BLOCK_TEXELS; t += TOGETHER)
        add_slices(at, t);
#elif HAS_A
    // The loop over slices is the outer one, so that the fetches of a block do not wait for
    // another.
    int s = 0;
#if AHEAD
    for (; s + PLAIN_ADDED <= slices; s += PLAIN_ADDED) {
        TEXEL sums[PLAIN_ADDED * BLOCK_TEXELS];
        for (int i = 0; i < PLAIN_ADDED * BLOCK_TEXELS; ++i)
            sums[i] =
                A_at(ivec2(at.x, at.y + (s + i / BLOCK_TEXELS) * slice_blocks), i % BLOCK_TEXELS);
        for (int i = 0; i < PLAIN_ADDED * BLOCK_TEXELS; ++i)
            tile[i % BLOCK_TEXELS] += sums[i];
    }
#endif
    for (; s < slices; ++s)
        for (int t = 0; t < BLOCK_TEXELS; ++t)
            tile[t] += A_at(ivec2(at.x, at.y + s * slice_blocks), t);
#endif
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = finish(tile[t], at, t);
}
