/* y = factor x + offset, with a factor and an offset for each channel of `pixels` numbers. */
void NAME_scale_channels(int channels, int pixels, int factor, int offset, int x, int y)
{
    for (int i = 0; i < channels * pixels; ++i)
        NAME_numbers[y + i] = NAME_constant(factor + i / pixels) * NAME_numbers[x + i] +
                              NAME_constant(offset + i / pixels);
}
