/* y = each pixel of x as by_height x by_width equal ones, channel by channel. */
void NAME_upsample(int channels, int height, int width, int by_height, int by_width, int x, int y)
{
    int columns = width * by_width;
    for (int i = 0; i < channels * height * by_height; ++i)
        for (int j = 0; j < columns; ++j)
            NAME_numbers[y + i * columns + j] =
                NAME_numbers[x + i / by_height * width + j / by_width];
}
