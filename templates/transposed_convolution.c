/* y = the bias, and what each pixel of x adds to its window of y. The weight is input channels x
 * output channels x kernel height x kernel width. */
static void transposed_convolution(const struct window *of, const float *weight, const float *bias,
                                   const float *x, float *y)
{
    const int plane = of->out_height * of->out_width;
    for (int o = 0; o < of->out_channels * plane; ++o)
        y[o] = bias[o / plane];
    for (int c = 0; c < of->channels; ++c)
        for (int o = 0; o < of->out_channels; ++o)
            for (int v = 0; v < of->kernel_height; ++v)
                for (int u = 0; u < of->kernel_width; ++u, ++weight)
                    for (int i = 0; i < of->height; ++i)
                        for (int j = 0; j < of->width; ++j) {
                            const int row = i * of->stride_height - of->padding_height +
                                            v * of->dilation_height;
                            const int column =
                                j * of->stride_width - of->padding_width + u * of->dilation_width;
                            if (row >= 0 && row < of->out_height && column >= 0 &&
                                column < of->out_width)
                                y[o * plane + row * of->out_width + column] +=
                                    *weight * x[(c * of->height + i) * of->width + j];
                        }
}
