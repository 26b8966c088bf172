//! use image_rows
// Windows of images as the factor A of a matrix product. A holds images as pixels x channels: row
// (n * height + y) * width + x is pixel (y, x) of image n. A tap is a place in a window, and a line
// of the product has the column group `group` of one tap: line = tap * WINDOW_GROUPS + group.
// Nothing is copied; each fetch computes its place. Outside of an image all numbers are zero.
//
// The grid is the images that the rows of the product (with TRANSPOSE_A its inner indices) count.
// Its pixel (y, x) reads at a tap (ky, kx):
//   WINDOW_FORWARD   pixel (y, x) * stride - padding + tap * dilation of A: a convolution, and with
//                    TRANSPOSE_A the gradient of its weights
//   WINDOW_BACKWARD  pixel ((y, x) + padding - tap * dilation) / stride of A, if the division is
//                    exact: the gradient of its input
//
// PHASED is WINDOW_BACKWARD with a stride. The phase of a pixel is the first tap whose division is
// exact. It has every PERIOD-th tap from there on and no other, where PERIOD is the stride without
// the divisors that it shares with the dilation. The rows of the product are ordered by phase, so
// that a block belongs to one and skips all other taps. Within a phase, places count strides, as
// the pixels of A do, and taps count periods. The fold orders the rows by pixel again.
// Constants:
//   IMAGE_HEIGHT, IMAGE_WIDTH   of A
//   GRID_HEIGHT, GRID_WIDTH     of the grid
//   KERNEL_HEIGHT, KERNEL_WIDTH
//   STRIDE_HEIGHT, STRIDE_WIDTH, PADDING_HEIGHT, PADDING_WIDTH, DILATION_HEIGHT, DILATION_WIDTH
//   PERIOD_HEIGHT, PERIOD_WIDTH
//   WINDOW_GROUPS               column groups of A that an element of the product reads
//   WINDOW_COLUMNS              with channels in groups: the columns of each group. The next ones
//                               read the next WINDOW_GROUPS column groups of A. 0: one group

#define PHASED (WINDOW == WINDOW_BACKWARD && (STRIDE_HEIGHT > 1 || STRIDE_WIDTH > 1))

#if WINDOW
#define WINDOW_LINES (KERNEL_HEIGHT * KERNEL_WIDTH * WINDOW_GROUPS)

// Whether a window always lies inside of its image.
#define WINDOW_FITS (WINDOW == WINDOW_FORWARD && PADDING_HEIGHT == 0 && PADDING_WIDTH == 0)

#define STRIDE ivec2(STRIDE_HEIGHT, STRIDE_WIDTH)
#define PADDING ivec2(PADDING_HEIGHT, PADDING_WIDTH)
#define KERNEL ivec2(KERNEL_HEIGHT, KERNEL_WIDTH)
#define DILATION ivec2(DILATION_HEIGHT, DILATION_WIDTH)
#define PERIOD ivec2(PERIOD_HEIGHT, PERIOD_WIDTH)

// From one tap to the next, in pixels of A.
#if WINDOW == WINDOW_BACKWARD
#define TAP_STEP (DILATION * PERIOD / STRIDE)
#else
#define TAP_STEP DILATION
#endif

// The window of a pixel of the grid: the row of A that its tap (0, 0) is in, and the place of that
// tap.
ivec3 window_at(int image, ivec2 place)
{
    return ivec3((image * IMAGE_HEIGHT + place.x) * IMAGE_WIDTH + place.y, place);
}

// The first tap whose remainder, divided by the stride, is that of a pixel. If there is none, it is
// after the kernel.
int first_tap(int rest, int stride, int dilation, int kernel)
{
    if (dilation == 1)
        return rest;
    int tap = 0;
    while (tap < kernel && tap * dilation % stride != rest)
        ++tap;
    return tap;
}

// The phase of a pixel of the grid, counted from the begin of the padding.
ivec2 phase_of(ivec2 from)
{
    ivec2 rest = from % STRIDE;
    return ivec2(first_tap(rest.x, STRIDE_HEIGHT, DILATION_HEIGHT, KERNEL_HEIGHT),
                 first_tap(rest.y, STRIDE_WIDTH, DILATION_WIDTH, KERNEL_WIDTH));
}

// By how many pixels of A a phase begins before the place of its pixels.
ivec2 phase_shift(ivec2 phase)
{
#if DILATION_HEIGHT > 1 || DILATION_WIDTH > 1
    return phase * DILATION / STRIDE;
#else
    return ivec2(0);
#endif
}

#if PHASED
// As lib/ops/gemm/window.h has them. Phases after the kernel have no taps and no rows.
#define PHASES_HEIGHT min(PERIOD_HEIGHT, KERNEL_HEIGHT)
#define PHASES_WIDTH min(PERIOD_WIDTH, KERNEL_WIDTH)
#define PLACES(grid, padding, stride)                                                              \
    (((padding) + (grid) - 1) / (stride) - (padding) / (stride) + 1)
#define PLACES_HEIGHT PLACES(GRID_HEIGHT, PADDING_HEIGHT, STRIDE_HEIGHT)
#define PLACES_WIDTH PLACES(GRID_WIDTH, PADDING_WIDTH, STRIDE_WIDTH)
#define TAPS_WIDTH ((KERNEL_WIDTH + PERIOD_WIDTH - 1) / PERIOD_WIDTH)

int phase_rows()
{
    return slice_blocks * BLOCK_ROWS / (PHASES_HEIGHT * PHASES_WIDTH);
}

// Of the block: its phase, and the taps of the phase.
ivec2 phase;
ivec2 phase_taps;

// Finds the phase of a row. Returns the row within the phase.
int find_phase(int row)
{
    int number = row / phase_rows();
    phase = ivec2(number / PHASES_WIDTH, number % PHASES_WIDTH);
    phase_taps = (KERNEL - phase + PERIOD - 1) / PERIOD;
    return row - number * phase_rows();
}
#else
#define PLACES_HEIGHT GRID_HEIGHT
#define PLACES_WIDTH GRID_WIDTH
#define TAPS_WIDTH KERNEL_WIDTH
#endif

ivec3 window_of(int row)
{
    ivec3 pixel = pixel_of(row, PLACES_HEIGHT, PLACES_WIDTH);
#if PHASED
    return window_at(pixel.x, pixel.yz + PADDING / STRIDE - phase_shift(phase));
#elif WINDOW == WINDOW_BACKWARD
    return window_at(pixel.x, pixel.yz + PADDING / STRIDE);
#else
    return window_at(pixel.x, pixel.yz * STRIDE - PADDING);
#endif
}

// The windows of four adjacent pixels, the first of which is a multiple of four.
void windows_of(int row, out ivec3 windows[4])
{
#if PLACES_WIDTH % 4 == 0
    // They are in the same line.
    windows[0] = window_of(row);
#if WINDOW == WINDOW_BACKWARD
    const ivec3 next = ivec3(1, 0, 1);
#else
    const ivec3 next = ivec3(STRIDE_WIDTH, 0, STRIDE_WIDTH);
#endif
    for (int i = 1; i < 4; ++i)
        windows[i] = windows[0] + i * next;
#else
    for (int i = 0; i < 4; ++i)
        windows[i] = window_of(row + i);
#endif
}

// The tap (ky, kx) and the column group of a line.
ivec3 window_line(int line)
{
    uint tap = uint(line) / uint(WINDOW_GROUPS);
#if PHASED
    // Divisors are constants, because other divisions are slow.
    int width = phase_taps.y;
    uint ky = width == TAPS_WIDTH ? tap / uint(TAPS_WIDTH) : tap / uint(max(TAPS_WIDTH - 1, 1));
#else
    int width = KERNEL_WIDTH;
    uint ky = tap / uint(KERNEL_WIDTH);
#endif
    return ivec3(ky, int(tap) - int(ky) * width, line - int(tap) * WINDOW_GROUPS);
}

// The end of the inner dimension for a block.
int window_end(int end)
{
#if PHASED
    end = min(end, 4 * phase_taps.x * phase_taps.y * WINDOW_GROUPS);
#endif
    return end;
}

bool is_in_image(ivec2 place)
{
    return is_within(place.x, place.y, IMAGE_HEIGHT, IMAGE_WIDTH);
}

// A column group of A, in any row. Without padding in A, columns after the last one are zero here.
vec4 window_stored(ivec2 row, int group)
{
#if A_LAYOUT == GLNN_LAYOUT_UNPACKED
    return mix(vec4(0.0), A_edge_group_in(row, group),
               lessThan(4 * group + ivec4(0, 1, 2, 3), ivec4(A_size.y)));
#else
    return A_stored_in(row, group);
#endif
}

// The row of A that a window reads at a tap, and whether there is one.
int window_row(ivec3 window, ivec2 tap, out bool is_inside)
{
    tap *= TAP_STEP;
#if WINDOW == WINDOW_BACKWARD
    is_inside = is_in_image(window.yz - tap);
    return window.x - tap.x * IMAGE_WIDTH - tap.y;
#else
    is_inside = WINDOW_FITS || is_in_image(window.yz + tap);
    return window.x + tap.x * IMAGE_WIDTH + tap.y;
#endif
}

// Where the row that a window reads at a tap is stored, and whether it is inside of the image.
ivec2 window_place(ivec3 window, ivec2 tap, out bool is_inside)
{
    int row = window_row(window, tap, is_inside);
#if !A_SAMPLES
    row = int(min(uint(row), uint(A_size.x - 1)));
#endif
    return A_row(row);
}

// With channels in groups: the first column group of A that the columns of the block read.
int first_group = 0;

void find_first_group(int column)
{
#if WINDOW_COLUMNS
    first_group = column / WINDOW_COLUMNS * WINDOW_GROUPS;
#endif
}

// The numbers that a window has in a line.
vec4 window_group(ivec3 window, ivec3 line)
{
    bool is_inside;
    ivec2 row = window_place(window, line.xy, is_inside);
    vec4 value = window_stored(row, first_group + line.z);
    return is_inside ? value : vec4(0.0);
}

#if WINDOW == WINDOW_BACKWARD && HAS_B
// The columns of the output, padded to a multiple of four, are rows of B for each tap. With groups,
// they are those of a group.
#if WINDOW_COLUMNS
#define TAP_COLUMNS WINDOW_COLUMNS
#else
#define TAP_COLUMNS ((output_size.y + 3) & ~3)
#endif

// The first row of the tap of a line.
int tap_row(ivec3 line)
{
#if PHASED
    line.xy = phase + line.xy * PERIOD;
#endif
    return (line.x * KERNEL_WIDTH + line.y) * TAP_COLUMNS;
}

// The weights of a column of the output and of the four channels of a line.
vec4 tap_group(int column, int q)
{
    ivec3 line = window_line(q);
    column = min(column, output_size.y - 1);
#if WINDOW_COLUMNS
    int part = column / WINDOW_COLUMNS;
    column -= part * WINDOW_COLUMNS;
    line.z += part * WINDOW_GROUPS;
#endif
    return B_edge_group(tap_row(line) + column, line.z);
}

// The same of column i of four columns. Those after the last one are padding.
vec4 tap_group_of_four(int four, int i, int q)
{
    ivec3 line = window_line(q);
    four = min(four, (output_size.y - 1) >> 2);
#if WINDOW_COLUMNS
    int part = four / (WINDOW_COLUMNS / 4);
    four -= part * (WINDOW_COLUMNS / 4);
    line.z += part * WINDOW_GROUPS;
#endif
    return B_any_tile(ivec2(line.z >> 1, (tap_row(line) >> 2) + four), i, line.z & 1);
}
#endif

#define A_LINES (4 * WINDOW_LINES)
#else
// Columns of A.
#define A_LINES A_size.y
#endif
