/* y = the bias, and what each pixel of x adds to its window of y. The weight is input channels x
 * output channels x kernel height x kernel width. */
void NAME_transposed_convolution(NAME_window of, int weight, int bias, int x, int y)
{
    int plane = of.out_height * of.out_width, pixels = of.height * of.width;
    for (int o = 0; o < of.out_channels * plane; ++o)
        NAME_numbers[y + o] = NAME_constant(bias + o / plane);
    for (int c = 0; c < of.channels; ++c)
        for (int o = 0; o < of.out_channels; ++o)
            for (int v = 0; v < of.kernel_height; ++v)
                for (int u = 0; u < of.kernel_width; ++u, ++weight)
                    for (int p = 0; p < pixels; ++p) {
                        int i = p / of.width * of.stride_height - of.padding_height +
                                v * of.dilation_height;
                        int j = p % of.width * of.stride_width - of.padding_width +
                                u * of.dilation_width;
                        if (i >= 0 && i < of.out_height && j >= 0 && j < of.out_width)
                            NAME_numbers[y + o * plane + i * of.out_width + j] +=
                                NAME_constant(weight) * NAME_numbers[x + c * pixels + p];
                    }
}
