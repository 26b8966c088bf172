/* y = factor x + offset, with a factor and an offset for each channel of `pixels` numbers. */
static void scale_channels(int channels, int pixels, const float *factor, const float *offset,
                           const float *x, float *y)
{
    for (int c = 0; c < channels; ++c)
        for (int i = 0; i < pixels; ++i)
            *y++ = factor[c] * *x++ + offset[c];
}
