/* y = weight n + bias, where n are the numbers x with mean 0 and variance 1. A channel has `pixels`
 * numbers, a weight and a bias. */
void NAME_layer_norm(int channels, int pixels, float epsilon, int weight, int bias, int x, int y)
{
    int count = channels * pixels;
    float mean = 0.0, squares = 0.0;
    for (int i = 0; i < count; ++i)
        mean += NAME_numbers[x + i] / float(count);
    for (int i = 0; i < count; ++i)
        squares += (NAME_numbers[x + i] - mean) * (NAME_numbers[x + i] - mean);
    float scale = 1.0 / sqrt(squares / float(count) + epsilon);
    for (int i = 0; i < count; ++i)
        NAME_numbers[y + i] =
            NAME_constant(weight + i / pixels) * (NAME_numbers[x + i] - mean) * scale +
            NAME_constant(bias + i / pixels);
}
