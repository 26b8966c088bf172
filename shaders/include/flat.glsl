//! use window
// Windows of images of one channel, which A has one in a row: element (n, y * IMAGE_WIDTH + x) is
// pixel (y, x) of image n. The constants are those of include/window.glsl, and these:
//   RUN_PIXELS, RUN_TAPS  A run is what the windows of so many adjacent pixels of the grid have at
//                         so many adjacent taps of a line. The first pixel and the first tap are
//                         multiples of these numbers.

// Element i * STRIDE_WIDTH + k of a run belongs to pixel i and tap k.
#define RUN_LENGTH ((RUN_PIXELS - 1) * STRIDE_WIDTH + RUN_TAPS)

// A number for each row of a block.
#if BLOCK_ROWS == 4
#define BLOCK_FLOATS vec4
#define BLOCK_FLOAT(floats, row) floats[row]
#else
#define BLOCK_FLOATS float
#define BLOCK_FLOAT(floats, row) floats
#endif

// Runs begin a multiple of RUN_STEP elements after element RUN_SHIFT of a column group.
#define FIRST_TAPS (RUN_TAPS < KERNEL_WIDTH ? RUN_TAPS : 0)
#define BEGINNINGS (IMAGE_WIDTH | RUN_PIXELS * STRIDE_WIDTH | FIRST_TAPS)
#define RUN_STEP (BEGINNINGS % 4 == 0 ? 4 : BEGINNINGS % 2 == 0 ? 2 : 1)
#define RUN_SHIFT ((RUN_STEP - PADDING_WIDTH % RUN_STEP) % RUN_STEP)
#define RUN_TEXELS ((4 - RUN_STEP + RUN_SHIFT + RUN_LENGTH + 3) / 4)

// Reads the run from pixel `first` of the grid (image, y, x) and tap (ky, kx) on. Its elements are
// `outside` where there is no image.
void read_run(ivec3 first, int ky, int kx, float outside, out float run[RUN_LENGTH])
{
    int y = first.y * STRIDE_HEIGHT - PADDING_HEIGHT + ky;
    int x = first.z * STRIDE_WIDTH - PADDING_WIDTH + kx;
    int width = uint(y) < uint(IMAGE_HEIGHT) ? IMAGE_WIDTH : 0; // of the line
#if A_LAYOUT != GLNN_LAYOUT_UNPACKED
    int begin = y * IMAGE_WIDTH + x - RUN_SHIFT;
    int place = x - RUN_SHIFT - (begin & 3); // in the line, of the first column group
    float elements[4 * RUN_TEXELS];
    for (int i = 0; i < RUN_TEXELS; ++i) {
        vec4 value = A_edge_group(first.x, (begin >> 2) + i);
#if IMAGE_WIDTH % 4 == 0
        // A column group is inside or outside as a whole.
        value = uint((place >> 2) + i) < uint(width / 4) ? value : vec4(outside);
#else
        uvec4 places = uvec4(PADDING_WIDTH > 0 ? place + 4 * i + ivec4(0, 1, 2, 3) : ivec4(0));
        value = mix(vec4(outside), value, lessThan(places, uvec4(width)));
#endif
        for (int j = 0; j < 4; ++j)
            elements[4 * i + j] = value[j];
    }
    if (RUN_STEP <= 2)
        for (int i = 0; i < 4 * RUN_TEXELS - 2; ++i)
            elements[i] = (begin & 2) != 0 ? elements[i + 2] : elements[i];
    // No index is the counter plus 1. Mesa's virgl would store to[i] = from[i + 1] in to[i + 1].
    if (RUN_STEP == 1)
        for (int i = 1; i < 4 * RUN_TEXELS; ++i)
            elements[i - 1] = (begin & 1) != 0 ? elements[i] : elements[i - 1];
    for (int i = RUN_SHIFT; i < RUN_SHIFT + RUN_LENGTH; ++i)
        run[i - RUN_SHIFT] = elements[i];
#else
    for (int i = 0; i < RUN_LENGTH; ++i) {
        float value = A_edge_element(first.x, y * IMAGE_WIDTH + x + i);
        run[i] = uint(x + i) < uint(width) ? value : outside;
    }
#endif
}
