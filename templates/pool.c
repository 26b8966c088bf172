/* The part of a window along one direction that is inside of the image. */
static struct range range_of(int at, int stride, int padding, int kernel, int size)
{
    const int from = at * stride - padding;
    struct range inside = {from < 0 ? 0 : from, from + kernel > size ? size : from + kernel};
    return inside;
}

/* y = a number of each window, channel by channel. */
static void pool(const struct window *of,
                 float (*number_of)(const struct window *, struct range, struct range,
                                    const float *),
                 const float *x, float *y)
{
    for (int c = 0; c < of->channels; ++c) {
        for (int i = 0; i < of->out_height; ++i)
            for (int j = 0; j < of->out_width; ++j) {
                const struct range rows = range_of(i, of->stride_height, of->padding_height,
                                                   of->kernel_height, of->height);
                const struct range columns =
                    range_of(j, of->stride_width, of->padding_width, of->kernel_width, of->width);
                *y++ = number_of(of, rows, columns, x);
            }
        x += of->height * of->width;
    }
}
