/* The sum of x times weights over a window of each of the first `inputs` channels. */
static float convolve(const struct window *of, int inputs, int out_y, int out_x,
                      const float *weight, const float *x)
{
    const struct range rows =
        range_of(out_y, of->stride_height, of->padding_height, of->kernel_height, of->height);
    const struct range columns =
        range_of(out_x, of->stride_width, of->padding_width, of->kernel_width, of->width);
    const int first_row = out_y * of->stride_height - of->padding_height;
    const int first_column = out_x * of->stride_width - of->padding_width;
    float sum = 0;
    for (int c = 0; c < inputs; ++c) {
        for (int i = rows.first; i < rows.end; ++i)
            for (int j = columns.first; j < columns.end; ++j)
                sum += weight[(i - first_row) * of->kernel_width + j - first_column] *
                       x[i * of->width + j];
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
