/* y = x / (k + alpha / size * the sum of the squares of `size` channels)^beta, pixel by pixel. */
void NAME_local_response_norm(int channels, int pixels, int size, float alpha, float beta, float k,
                              int x, int y)
{
    for (int i = 0; i < channels * pixels; ++i) {
        int first = max(i / pixels - size / 2, 0);
        int end = min(i / pixels + (size - 1) / 2 + 1, channels);
        float sum = 0.0;
        for (int d = first; d < end; ++d) {
            float value = NAME_numbers[x + d * pixels + i % pixels];
            sum += value * value;
        }
        NAME_numbers[y + i] = NAME_numbers[x + i] / pow(k + alpha / float(size) * sum, beta);
    }
}
