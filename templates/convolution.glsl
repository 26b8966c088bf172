/* The sum of x times weights over a window whose first tap is at this row and column, in each of
 * the first `count` channels. */
float NAME_convolve(NAME_window of, int count, int row, int column, int weight, int x)
{
    float sum = 0.0;
    for (int c = 0; c < count; ++c)
        for (int v = 0; v < of.kernel_height; ++v)
            for (int u = 0; u < of.kernel_width; ++u, ++weight) {
                int i = row + v * of.dilation_height, j = column + u * of.dilation_width;
                if (i >= 0 && i < of.height && j >= 0 && j < of.width)
                    sum += NAME_constant(weight) *
                           NAME_numbers[x + (c * of.height + i) * of.width + j];
            }
    return sum;
}

/* y = weight * x + bias, where the weight is output channels x (input channels / groups) x kernel
 * height x kernel width. */
void NAME_convolution(NAME_window of, int groups, int weight, int bias, int x, int y)
{
    int count = of.channels / groups, taps = count * of.kernel_height * of.kernel_width;
    int plane = of.out_height * of.out_width;
    for (int o = 0; o < of.out_channels; ++o) {
        int group = x + o / (of.out_channels / groups) * count * of.height * of.width;
        for (int p = 0; p < plane; ++p)
            NAME_numbers[y + o * plane + p] =
                NAME_constant(bias + o) +
                NAME_convolve(of, count, p / of.out_width * of.stride_height - of.padding_height,
                              p % of.out_width * of.stride_width - of.padding_width,
                              weight + o * taps, group);
    }
}
