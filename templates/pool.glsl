/* y = the greatest number of each window, channel by channel. Or it is the mean, for which numbers
 * outside of the image are 0. */
void NAME_pool(NAME_window of, int takes_mean, int x, int y)
{
    for (int o = 0; o < of.channels * of.out_height * of.out_width; ++o) {
        int row = o / of.out_width % of.out_height * of.stride_height - of.padding_height;
        int column = o % of.out_width * of.stride_width - of.padding_width;
        int image = x + o / (of.out_height * of.out_width) * of.height * of.width;
        float most = NAME_numbers[image + max(row, 0) * of.width + max(column, 0)], sum = 0.0;
        for (int v = max(row, 0); v < min(row + of.kernel_height, of.height); ++v)
            for (int u = max(column, 0); u < min(column + of.kernel_width, of.width); ++u) {
                float value = NAME_numbers[image + v * of.width + u];
                most = max(most, value);
                sum += value;
            }
        NAME_numbers[y + o] =
            takes_mean != 0 ? sum / float(of.kernel_height * of.kernel_width) : most;
    }
}
