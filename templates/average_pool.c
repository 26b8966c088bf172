/* The mean of each window, channel by channel. Numbers outside of the image are 0. */
static void average_pool(const struct window *of, const float *x, float *y)
{
    for (int c = 0; c < of->channels; ++c) {
        for (int i = 0; i < of->out_height; ++i)
            for (int j = 0; j < of->out_width; ++j) {
                const struct range rows = range_of(i, of->stride_height, of->padding_height,
                                                   of->kernel_height, of->height);
                const struct range columns =
                    range_of(j, of->stride_width, of->padding_width, of->kernel_width, of->width);
                float sum = 0;
                for (int v = rows.first; v < rows.end; ++v)
                    for (int u = columns.first; u < columns.end; ++u)
                        sum += x[v * of->width + u];
                *y++ = sum / (float)(of->kernel_height * of->kernel_width);
            }
        x += of->height * of->width;
    }
}
