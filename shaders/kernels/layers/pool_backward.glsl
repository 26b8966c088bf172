//! use find_greatest
//! use maps
// The delta of the input X of pool.glsl from the delta D of its output, times f'(x), where X has
// gone through f, given by ACTIVATION. The windows that contain a pixel add their parts. With
// MAXIMUM a window belongs to the first of its greatest numbers. PLACES has the places of these
// (pool_places.glsl). Without it they are found anew, which takes no more fetches if windows are
// small and do not overlap.
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

#if HAS_PLACES
// The derivative at a pixel, which counts where it is the maximum.
TEXEL slope_at(int row, int texel)
{
#if HAS_X
    return map_derivative(ACTIVATION, X_texel(row, texel));
#else
    return TEXEL(1.0);
#endif
}
#endif

// The deltas of a run of pixels. The first one is pixel (y, x) of an image, counted from the begin
// of the padding, and row `row` of X.
void find_deltas(int row, int image, int y, int x, int texel, out TEXEL sums[RUN])
{
#if HAS_PLACES
    TEXEL slopes[RUN];
    for (int i = 0; i < RUN; ++i)
        slopes[i] = slope_at(row + i, texel);
#endif
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
#if HAS_PLACES
            TEXEL best = PLACES_texel((image * OUT_HEIGHT + out_y) * OUT_WIDTH + out_x, texel);
#elif MAXIMUM
            TEXEL best;
            TEXEL greatest;
            find_greatest(row - v * WIDTH - u, y - PADDING_HEIGHT - v, x - PADDING_WIDTH - u,
                          texel, best, greatest);
            TEXEL slope = map_derivative(ACTIVATION, greatest);
#endif
            for (int i = 0; i < RUN; ++i) {
                TEXEL part = delta;
#if HAS_PLACES
                part *= share(best, slopes[i], v * KERNEL_WIDTH + u + i);
#elif MAXIMUM
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
