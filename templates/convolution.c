/* The taps of a window along one direction that are inside of the image. */
static struct range taps_inside(int from, int dilation, int kernel, int size)
{
    const int end = from < size ? (size - from - 1) / dilation + 1 : 0;
    struct range inside = {from < 0 ? (dilation - 1 - from) / dilation : 0,
                           end < kernel ? end : kernel};
    return inside;
}

/* The sum of x times weights over a window of each of the first `inputs` channels. */
static float convolve(const struct window *of, int inputs, int out_y, int out_x,
                      const float *weight, const float *x)
{
    const int row = out_y * of->stride_height - of->padding_height;
    const int column = out_x * of->stride_width - of->padding_width;
    const struct range lines = taps_inside(row, of->dilation_height, of->kernel_height, of->height);
    const struct range taps = taps_inside(column, of->dilation_width, of->kernel_width, of->width);
    float sum = 0;
    for (int c = 0; c < inputs; ++c) {
        for (int i = lines.first; i < lines.end; ++i)
            for (int j = taps.first; j < taps.end; ++j)
                sum += weight[i * of->kernel_width + j] *
                       x[(row + i * of->dilation_height) * of->width + column +
                         j * of->dilation_width];
        weight += of->kernel_height * of->kernel_width;
        x += of->height * of->width;
    }
    return sum;
}

/* y = weight * x + bias, where the weight is output channels x (input channels / groups) x kernel
 * height x kernel width. */
static void convolution(const struct window *of, int groups, const float *weight, const float *bias,
                        const float *x, float *y)
{
    const int inputs = of->channels / groups, outputs = of->out_channels / groups;
    for (int o = 0; o < of->out_channels; ++o) {
        const float *group = x + o / outputs * inputs * of->height * of->width;
        for (int i = 0; i < of->out_height; ++i)
            for (int j = 0; j < of->out_width; ++j)
                *y++ = bias[o] + convolve(of, inputs, i, j, weight, group);
        weight += inputs * of->kernel_height * of->kernel_width;
    }
}
