#include <math.h>

/* y = x / (k + alpha / size * the sum of the squares of `size` channels)^beta, pixel by pixel. */
static void local_response_norm(int channels, int pixels, int size, float alpha, float beta,
                                float k, const float *x, float *y)
{
    for (int c = 0; c < channels; ++c) {
        const int first = c < size / 2 ? 0 : c - size / 2;
        const int end = channels - c <= (size - 1) / 2 ? channels : c + (size - 1) / 2 + 1;
        for (int i = 0; i < pixels; ++i) {
            float sum = 0;
            for (int d = first; d < end; ++d)
                sum += x[d * pixels + i] * x[d * pixels + i];
            y[c * pixels + i] = x[c * pixels + i] / powf(k + alpha / (float)size * sum, beta);
        }
    }
}
