/* How windows lie on images. Numbers are ordered by channel, then by row, then by column. */
struct window {
    int channels, height, width;             /* of the input                               */
    int out_channels, out_height, out_width; /* of the output                              */
    int kernel_height, kernel_width;         /* of a window                                */
    int stride_height, stride_width;         /* from one window to the next                */
    int padding_height, padding_width;       /* of the first window, outside of the image  */
};

/* The part of a window along one direction that is inside of the image. */
struct range {
    int first, end;
};

static struct range range_of(int at, int stride, int padding, int kernel, int size)
{
    const int from = at * stride - padding;
    struct range inside = {from < 0 ? 0 : from, from + kernel > size ? size : from + kernel};
    return inside;
}
