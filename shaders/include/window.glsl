// Windows of images as the factor A of a matrix product. A holds images as pixels x channels: row
// (n * height + y) * width + x is pixel (y, x) of image n. A tap is a place in a window, and a line
// of the product has the column group `group` of one tap: line = tap * WINDOW_GROUPS + group.
// Nothing is copied; each fetch computes its place. Outside of an image all numbers are zero.
//
// The grid is the images that the rows of the product (with TRANSPOSE_A its inner indices) count.
// Its pixel (y, x) reads at a tap (ky, kx):
//   WINDOW_FORWARD   pixel (y, x) * stride - padding + tap of A: a convolution, and with
//                    TRANSPOSE_A the gradient of its weights
//   WINDOW_BACKWARD  pixel ((y, x) + padding - tap) / stride of A, if the division is exact: the
//                    gradient of its input
// Constants:
//   IMAGE_HEIGHT, IMAGE_WIDTH   of A
//   GRID_HEIGHT, GRID_WIDTH     of the grid
//   KERNEL_HEIGHT, KERNEL_WIDTH
//   STRIDE_HEIGHT, STRIDE_WIDTH, PADDING_HEIGHT, PADDING_WIDTH
//   WINDOW_GROUPS               column groups of A

#if WINDOW
#define WINDOW_LINES (KERNEL_HEIGHT * KERNEL_WIDTH * WINDOW_GROUPS)

// Whether a window always lies inside of its image.
#define WINDOW_FITS (WINDOW == WINDOW_FORWARD && PADDING_HEIGHT == 0 && PADDING_WIDTH == 0)

#define STRIDES (STRIDE_HEIGHT > 1 || STRIDE_WIDTH > 1)

// The window of a pixel of the grid: the row of A that its pixel (0, 0) is in, and its place (y, x)
// at tap (0, 0). WINDOW_BACKWARD: the row of pixel (0, 0) of the image if there are strides.
ivec3 window_of(int row)
{
    uint line = uint(row) / uint(GRID_WIDTH);
    uint image = line / uint(GRID_HEIGHT);
    int y = int(line - image * uint(GRID_HEIGHT));
    int x = row - int(line) * GRID_WIDTH;
    int first = int(image) * (IMAGE_HEIGHT * IMAGE_WIDTH);
#if WINDOW == WINDOW_BACKWARD
    ivec2 place = ivec2(y + PADDING_HEIGHT, x + PADDING_WIDTH);
#else
    ivec2 place = ivec2(y * STRIDE_HEIGHT - PADDING_HEIGHT, x * STRIDE_WIDTH - PADDING_WIDTH);
#endif
#if WINDOW == WINDOW_BACKWARD && STRIDES
    return ivec3(first, place);
#else
    return ivec3(first + place.x * IMAGE_WIDTH + place.y, place);
#endif
}

// The windows of four adjacent pixels, the first of which is a multiple of four.
void windows_of(int row, out ivec3 windows[4])
{
#if GRID_WIDTH % 4 == 0
    // They are in the same line.
    windows[0] = window_of(row);
#if WINDOW == WINDOW_BACKWARD && STRIDES
    const ivec3 next = ivec3(0, 0, 1);
#elif WINDOW == WINDOW_BACKWARD
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
    uint ky = tap / uint(KERNEL_WIDTH);
    return ivec3(ky, int(tap - ky * uint(KERNEL_WIDTH)), line - int(tap) * WINDOW_GROUPS);
}

bool is_in_image(ivec2 place)
{
    return uint(place.x) < uint(IMAGE_HEIGHT) && uint(place.y) < uint(IMAGE_WIDTH);
}

// A column group of A, in a row of A. Without padding in A, columns after the last one are zero
// here.
vec4 window_stored(int row, int group)
{
    vec4 value = A_edge_group(row, group);
#if A_LAYOUT == GLNN_LAYOUT_UNPACKED
    value = mix(vec4(0.0), value, lessThan(4 * group + ivec4(0, 1, 2, 3), ivec4(A_size.y)));
#endif
    return value;
}

// The row of A that a window reads at a tap, and whether there is one.
int window_row(ivec3 window, ivec2 tap, out bool is_inside)
{
#if WINDOW == WINDOW_BACKWARD && STRIDES
    const uvec2 stride = uvec2(STRIDE_HEIGHT, STRIDE_WIDTH);
    ivec2 distance = window.yz - tap;
    uvec2 place = uvec2(distance) / stride;
    is_inside = all(greaterThanEqual(distance, ivec2(0))) && place * stride == uvec2(distance) &&
                is_in_image(ivec2(place));
    return window.x + int(place.x) * IMAGE_WIDTH + int(place.y);
#elif WINDOW == WINDOW_BACKWARD
    is_inside = is_in_image(window.yz - tap);
    return window.x - tap.x * IMAGE_WIDTH - tap.y;
#else
    is_inside = WINDOW_FITS || is_in_image(window.yz + tap);
    return window.x + tap.x * IMAGE_WIDTH + tap.y;
#endif
}

// The numbers that a window has in a line.
vec4 window_group(ivec3 window, ivec3 line)
{
    bool is_inside;
    int row = window_row(window, line.xy, is_inside);
    vec4 value = window_stored(row, line.z);
    return is_inside ? value : vec4(0.0);
}

#if WINDOW == WINDOW_BACKWARD
// The weights of a column of the output and of the four channels of a line. B has
// the columns of the output, padded to a multiple of four, as rows of each tap.
vec4 tap_group(int column, int q)
{
    uint tap = uint(q) / uint(WINDOW_GROUPS);
    int rows = int(tap) * ((output_size.y + 3) & ~3);
    return B_edge_group(rows + min(column, output_size.y - 1), q - int(tap) * WINDOW_GROUPS);
}
#endif

#define A_LINES (4 * WINDOW_LINES)
#else
// Columns of A.
#define A_LINES A_size.y
#endif
