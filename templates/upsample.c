/* y = each pixel of x as by_height x by_width equal ones, channel by channel. */
static void upsample(int channels, int height, int width, int by_height, int by_width,
                     const float *x, float *y)
{
    for (int i = 0; i < channels * height * by_height; ++i)
        for (int j = 0; j < width * by_width; ++j)
            *y++ = x[i / by_height * width + j / by_width];
}
