/* The part of a window along one direction that is inside of the image. */
static struct range range_of(int at, int stride, int padding, int kernel, int size)
{
    const int from = at * stride - padding;
    struct range inside = {from < 0 ? 0 : from, from + kernel > size ? size : from + kernel};
    return inside;
}

/* The greatest number of a part of an image, or the mean of its window, in which numbers outside of
 * the image are 0. */
static float pool_window(const struct window *of, int takes_mean, struct range rows,
                         struct range columns, const float *x)
{
    float most = x[rows.first * of->width + columns.first], sum = 0;
    for (int v = rows.first; v < rows.end; ++v)
        for (int u = columns.first; u < columns.end; ++u) {
            const float value = x[v * of->width + u];
            most = value > most ? value : most;
            sum += value;
        }
    return takes_mean ? sum / (float)(of->kernel_height * of->kernel_width) : most;
}

/* y = a number of each window, channel by channel. */
static void pool(const struct window *of, int takes_mean, const float *x, float *y)
{
    for (int c = 0; c < of->channels; ++c) {
        for (int i = 0; i < of->out_height; ++i)
            for (int j = 0; j < of->out_width; ++j) {
                const struct range rows = range_of(i, of->stride_height, of->padding_height,
                                                   of->kernel_height, of->height);
                const struct range columns =
                    range_of(j, of->stride_width, of->padding_width, of->kernel_width, of->width);
                *y++ = pool_window(of, takes_mean, rows, columns, x);
            }
        x += of->height * of->width;
    }
}
