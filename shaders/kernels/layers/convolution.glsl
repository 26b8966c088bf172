//! use maps
//! use window
// A convolution with small groups. Each number is computed by itself, from the channels of its
// group.
//   PART_OUTPUTS  MAP(windows(A) B). A is the input, B the weights with a last row of biases.
//   PART_INPUTS   windows(A) B' MAP'(Y). A is the delta of the output, B the weights.
//   PART_WEIGHTS  windows(A)' B. A is the input, B the delta of the output.
//
// PART_WEIGHTS sums slices of the pixels. Their sums lie one below the other.
//
// These are defined in addition to the constants of include/window.glsl.
//   GROUP_CHANNELS, GROUP_UNITS  The channels of a group of the input and of the output.
//   slice_length, slice_blocks   Uniforms: the pixels of a slice, and the rows of blocks of its
//                                sums.

// Rows of the weights for a tap. The last ones pad the channels.
#define TAP_ROWS ((GROUP_CHANNELS + 3) / 4 * 4)
#define TAPS (KERNEL_HEIGHT * KERNEL_WIDTH)

// Each channel is a group: all texels are multiplied as they are.
#define IS_DEPTHWISE (GROUP_CHANNELS == 1 && GROUP_UNITS == 1)

#if PART == PART_OUTPUTS
// Adds what the channels in a row of A give to a texel of outputs.
void add_channels(int row, int tap, ivec2 at, int t, inout TEXEL sum)
{
    for (int c = 0; c < TEXEL_COLUMNS; ++c) {
        int unit = min(block_column(at, t) + c, output_size.y - 1);
        int channel = unit / GROUP_UNITS * GROUP_CHANNELS;
        for (int i = 0; i < GROUP_CHANNELS; ++i)
            COMPONENT(sum, c) +=
                A_edge_element(row, channel + i) * B_edge_element(tap * TAP_ROWS + i, unit);
    }
}
#elif PART == PART_INPUTS
void add_channels(int row, int tap, ivec2 at, int t, inout TEXEL sum)
{
    for (int c = 0; c < TEXEL_COLUMNS; ++c) {
        int channel = min(block_column(at, t) + c, output_size.y - 1);
        int group = channel / GROUP_CHANNELS;
        int i = channel - group * GROUP_CHANNELS;
        for (int u = group * GROUP_UNITS; u < (group + 1) * GROUP_UNITS; ++u)
            COMPONENT(sum, c) += A_edge_element(row, u) * B_edge_element(tap * TAP_ROWS + i, u);
    }
}
#endif

#if PART == PART_WEIGHTS
// The sum over pixels begin to end - 1 for the weights of channel `i` of a tap.
TEXEL sum_pixels(int tap, int i, int begin, int end, ivec2 at, int t)
{
    TEXEL sum = TEXEL(0.0);
    ivec2 place = ivec2(tap / KERNEL_WIDTH, tap % KERNEL_WIDTH);
    for (int pixel = begin; pixel < end; ++pixel) {
        bool is_inside;
        int row = window_row(window_of(pixel), place, is_inside);
        if (!is_inside)
            continue;
        TEXEL delta = B_texel(pixel, block_texel(at, t));
#if IS_DEPTHWISE
        sum += A_texel(row, block_texel(at, t)) * delta;
#else
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int unit = min(block_column(at, t) + c, output_size.y - 1);
            COMPONENT(sum, c) +=
                A_edge_element(row, unit / GROUP_UNITS * GROUP_CHANNELS + i) * COMPONENT(delta, c);
        }
#endif
    }
    return sum;
}

TEXEL sum_delta(int begin, int end, ivec2 at, int t)
{
    TEXEL sum = TEXEL(0.0);
    for (int pixel = begin; pixel < end; ++pixel)
        sum += B_texel(pixel, block_texel(at, t));
    return sum;
}

void block(ivec2 at)
{
    int slice = at.y / slice_blocks;
    int begin = slice * slice_length;
    int end = min(begin + slice_length, B_size.x);
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int line = block_row(ivec2(at.x, at.y - slice * slice_blocks), t);
        int tap = line / TAP_ROWS;
        int i = line - tap * TAP_ROWS;
        tile[t] = TEXEL(0.0);
        if (tap < TAPS && i < GROUP_CHANNELS)
            tile[t] = sum_pixels(tap, i, begin, end, at, t);
        else if (line == TAPS * TAP_ROWS)
            tile[t] = sum_delta(begin, end, at, t);
    }
}
#else
TEXEL sum_taps(ivec2 at, int t)
{
    TEXEL sum = TEXEL(0.0);
    ivec3 pixel = pixel_of(block_row(at, t), GRID_HEIGHT, GRID_WIDTH);
#if PART == PART_INPUTS
    // Every PERIOD-th tap meets a pixel of A, or none does.
    ivec2 from = pixel.yz + PADDING;
    ivec2 first = phase_of(from);
    ivec3 window = window_at(pixel.x, from / STRIDE - phase_shift(first));
    const ivec2 step = PERIOD;
#else
    ivec3 window = window_at(pixel.x, pixel.yz * STRIDE - PADDING);
    const ivec2 first = ivec2(0);
    const ivec2 step = ivec2(1);
#endif
    for (int ky = first.x; ky < KERNEL_HEIGHT; ky += step.x)
        for (int kx = first.y; kx < KERNEL_WIDTH; kx += step.y) {
            bool is_inside;
            int row = window_row(window, ivec2(ky, kx) / step, is_inside);
            int tap = ky * KERNEL_WIDTH + kx;
            if (!is_inside)
                continue;
#if IS_DEPTHWISE
            sum += A_texel(row, block_texel(at, t)) * B_texel(tap * TAP_ROWS, block_texel(at, t));
#else
            add_channels(row, tap, at, t, sum);
#endif
        }
    return sum;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] = sum_taps(at, t);
#if PART == PART_OUTPUTS
        tile[t] = map_value(MAP, tile[t] + B_texel(TAPS * TAP_ROWS, block_texel(at, t)));
#elif HAS_Y
        tile[t] *= map_derivative(MAP, Y_at(at, t));
#endif
    }
}
#endif
