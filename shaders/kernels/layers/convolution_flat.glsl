//! use flat
//! use maps
// A convolution of images of one channel, directly: MAP(windows(A) B). include/flat.glsl reads A. B
// is the weights, four rows for each tap, with a last row of biases. In a matrix product three
// quarters of the inner indices would be padding.
//
// Runs have the pixels of a block. If lines have an odd number of pixels, a block can begin in one
// line and end in the next one. There are two runs of three pixels then: from the first pixel on,
// and up to the last one.
#define RUNS (RUN_PIXELS == 3 ? 2 : BLOCK_ROWS / RUN_PIXELS)
#define RUN_ROW(i) (RUN_PIXELS == 3 ? (i) : (i) * RUN_PIXELS) // of the first pixel of run i

// Some compilers unroll a loop over all elements of an array, whatever its length. The array
// `lines` lets them unroll the loop over the lines of a kernel. Larger kernels would take long to
// compile.
#define SMALL_KERNEL 25

#define BIASES (4 * KERNEL_HEIGHT * KERNEL_WIDTH)

TEXEL tap_weights(int tap, ivec2 at, int t)
{
#if BLOCK_ROWS == 4
    return B_tile_of_block(ivec2(at.x, tap), 0, t);
#else
    return B_texel(4 * tap, block_texel(at, t));
#endif
}

// Reads the numbers of run i. Known ones stay.
void read_factors(ivec3 first, int ky, int kx, int i, int known,
                  inout BLOCK_FLOATS factors[RUN_TAPS])
{
    float run[RUN_LENGTH];
    read_run(first, ky, kx, 0.0, run);
    for (int k = 0; k < RUN_TAPS; ++k)
        for (int j = 0; j < RUN_PIXELS; ++j) {
            int r = RUN_ROW(i) + j;
            float value = run[j * STRIDE_WIDTH + k];
            BLOCK_FLOAT(factors[k], r) = r < known ? BLOCK_FLOAT(factors[k], r) : value;
        }
}

// Adds the first `taps` of RUN_TAPS taps of a line, from kx on.
void add_taps(ivec3 firsts[RUNS], int ky, int kx, int taps, ivec2 at)
{
    BLOCK_FLOATS factors[RUN_TAPS];
    read_factors(firsts[0], ky, kx, 0, 0, factors);
#if RUN_PIXELS == 3
    read_factors(firsts[1], ky, kx, 1, min(GRID_WIDTH - firsts[0].z, 3), factors);
#elif BLOCK_ROWS / RUN_PIXELS > 1
    read_factors(firsts[1], ky, kx, 1, 0, factors);
#endif
#if BLOCK_ROWS / RUN_PIXELS > 2
    read_factors(firsts[2], ky, kx, 2, 0, factors);
    read_factors(firsts[3], ky, kx, 3, 0, factors);
#endif
    for (int k = 0; k < RUN_TAPS; ++k) {
        BLOCK_FLOATS factor = factors[k];
        if (k < taps)
            for (int t = 0; t < TEXELS_ACROSS; ++t) {
                TEXEL weights = tap_weights(ky * KERNEL_WIDTH + kx + k, at, t);
                for (int r = 0; r < BLOCK_ROWS; ++r)
                    tile[r * TEXELS_ACROSS + t] += BLOCK_FLOAT(factor, r) * weights;
            }
    }
}

// Adds a line of the kernel. Loops over parts that are not unrolled cost more than the parts.
void add_line(ivec3 firsts[RUNS], int ky, ivec2 at)
{
    add_taps(firsts, ky, 0, RUN_TAPS, at);
#if KERNEL_WIDTH / RUN_TAPS == 2
    add_taps(firsts, ky, RUN_TAPS, RUN_TAPS, at);
#elif KERNEL_WIDTH / RUN_TAPS > 2
    for (int i = 1; i < KERNEL_WIDTH / RUN_TAPS; ++i)
        add_taps(firsts, ky, i * RUN_TAPS, RUN_TAPS, at);
#endif
#if KERNEL_WIDTH % RUN_TAPS > 0
    add_taps(firsts, ky, KERNEL_WIDTH / RUN_TAPS * RUN_TAPS, KERNEL_WIDTH % RUN_TAPS, at);
#endif
}

void block(ivec2 at)
{
    ivec3 firsts[RUNS];
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = TEXEL(0.0);
    for (int i = 0; i < RUNS; ++i) {
        int last = i > 0 ? RUN_PIXELS - 1 : 0;
        int row = at.y * BLOCK_ROWS + RUN_ROW(i) + last;
        firsts[i] = pixel_of(row, GRID_HEIGHT, GRID_WIDTH) - ivec3(0, 0, last);
    }
#if KERNEL_HEIGHT * KERNEL_WIDTH <= SMALL_KERNEL
    int lines[KERNEL_HEIGHT];
    for (int ky = 0; ky < KERNEL_HEIGHT; ++ky)
        lines[ky] = ky;
    for (int ky = 0; ky < KERNEL_HEIGHT; ++ky)
        add_line(firsts, lines[ky], at);
#else
    for (int ky = 0; ky < KERNEL_HEIGHT; ++ky)
        add_line(firsts, ky, at);
#endif
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        tile[t] = map_value(MAP, tile[t] + B_texel(BIASES, block_texel(at, t)));
}
