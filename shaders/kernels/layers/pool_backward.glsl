//! use greatest
//! use image_rows
//! use maps
// The delta of the input X of pool.glsl from the delta D of its output, times f'(x), where X has
// gone through f, given by ACTIVATION. The windows that contain a pixel add their parts. With
// MAXIMUM a window belongs to the first of its greatest numbers, which is found anew here: that
// takes no more fetches than a matrix of places would.
#define WINDOWS_HEIGHT ((KERNEL_HEIGHT + STRIDE_HEIGHT - 1) / STRIDE_HEIGHT)
#define WINDOWS_WIDTH ((KERNEL_WIDTH + STRIDE_WIDTH - 1) / STRIDE_WIDTH)

// A run is the adjacent pixels of a block that are a line of the same window, if windows neither
// overlap nor lie across two blocks.
#if KERNEL_WIDTH == STRIDE_WIDTH && PADDING_WIDTH == 0 && WIDTH % STRIDE_WIDTH == 0 &&             \
    BLOCK_ROWS % STRIDE_WIDTH == 0
#define RUN STRIDE_WIDTH
#else
#define RUN 1
#endif

#if MAXIMUM
// The place of the maximum in a window, channel by channel, and the derivative at the maximum.
// `first` is the row of X of the window's first pixel, which has the coordinates y and x.
void find_greatest(int first, int y, int x, int texel, out TEXEL best, out TEXEL slope)
{
    TEXEL greatest = TEXEL(-INFINITY);
    best = TEXEL(max(-y, 0) * KERNEL_WIDTH + max(-x, 0));
    for (int v = 0; v < KERNEL_HEIGHT; ++v)
        for (int u = 0; u < KERNEL_WIDTH; ++u) {
            TEXEL value = X_texel(first + v * WIDTH + u, texel);
#if PADDING_HEIGHT > 0 || PADDING_WIDTH > 0
            value = is_within(y + v, x + u, HEIGHT, WIDTH) ? value : TEXEL(-INFINITY);
#endif
            best = where_greater(value, greatest, best, TEXEL(v * KERNEL_WIDTH + u));
            greatest = where_greater(value, greatest, greatest, value);
        }
    slope = map_derivative(ACTIVATION, greatest);
}

// The slope for the channels whose maximum is at `place`, else 0.
TEXEL share(TEXEL best, TEXEL slope, int place)
{
#if TEXEL_COLUMNS == 1
    return best == float(place) ? slope : 0.0;
#else
    return mix(vec4(0.0), slope, equal(best, vec4(place)));
#endif
}
#endif

// The deltas of a run of pixels. The first one is pixel (y, x) of an image, counted from the begin
// of the padding, and row `row` of X.
void find_deltas(int row, int image, int y, int x, int texel, out TEXEL sums[RUN])
{
    for (int i = 0; i < RUN; ++i)
        sums[i] = TEXEL(0.0);
    for (int j = 0; j < WINDOWS_HEIGHT; ++j)
        for (int k = 0; k < WINDOWS_WIDTH; ++k) {
            int out_y = int(uint(y) / uint(STRIDE_HEIGHT)) - j;
            int out_x = int(uint(x) / uint(STRIDE_WIDTH)) - k;
            int v = y - out_y * STRIDE_HEIGHT;
            int u = x - out_x * STRIDE_WIDTH;
            bool is_in = is_within(out_y, out_x, OUT_HEIGHT, OUT_WIDTH) &&
                         is_within(v, u, KERNEL_HEIGHT, KERNEL_WIDTH);
            TEXEL delta = D_texel((image * OUT_HEIGHT + out_y) * OUT_WIDTH + out_x, texel);
#if MAXIMUM
            TEXEL best;
            TEXEL slope;
            find_greatest(row - v * WIDTH - u, y - PADDING_HEIGHT - v, x - PADDING_WIDTH - u,
                          texel, best, slope);
#endif
            for (int i = 0; i < RUN; ++i) {
                TEXEL part = delta;
#if MAXIMUM
                part *= share(best, slope, v * KERNEL_WIDTH + u + i);
#endif
                sums[i] += is_in ? part : TEXEL(0.0);
            }
        }
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; r += RUN) {
        int row = at.y * BLOCK_ROWS + r;
        ivec3 place = pixel_of(row, HEIGHT, WIDTH);
        for (int t = 0; t < TEXELS_ACROSS; ++t) {
            TEXEL deltas[RUN];
            find_deltas(row, place.x, place.y + PADDING_HEIGHT, place.z + PADDING_WIDTH,
                        block_texel(at, t), deltas);
            for (int i = 0; i < RUN; ++i)
                tile[(r + i) * TEXELS_ACROSS + t] = deltas[i];
        }
    }
#if !MAXIMUM
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        tile[t] *= 1.0 / float(KERNEL_HEIGHT * KERNEL_WIDTH);
#if HAS_X
        tile[t] *= map_derivative(ACTIVATION, X_at(at, t));
#endif
    }
#endif
}
