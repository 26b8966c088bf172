#include <math.h>

/* The numbers of a frame: y[b * frames] is the logarithm of the energy of band b. A bin of the
 * Fourier transform is in the band that rises at it and in the one before. */
static void find_bands(int frames, int window_length, int bands, float least, const float *window,
                       const float *cosine, const float *sine, const float *band,
                       const float *height, const float *x, float *y)
{
    for (int b = 0; b < bands; ++b)
        y[b * frames] = least;
    for (int k = 1; 2 * k < window_length; ++k) {
        const int b = (int)band[k - 1];
        float real = 0, imaginary = 0;
        for (int n = 0, turn = 0; n < window_length; ++n) {
            real += window[n] * x[n] * cosine[turn];
            imaginary += window[n] * x[n] * sine[turn];
            turn += k;
            turn -= turn >= window_length ? window_length : 0;
        }
        const float power = real * real + imaginary * imaginary;
        if (b < bands)
            y[b * frames] += height[2 * k - 2] * power;
        if (b > 0)
            y[(b - 1) * frames] += height[2 * k - 1] * power;
    }
    for (int b = 0; b < bands; ++b)
        y[b * frames] = logf(y[b * frames]);
}

/* y = the logarithms of the energies of bands x frames, with mean 0 and variance 1. */
static void spectrogram(int frames, int window_length, int hop, int bands, float least,
                        float epsilon, const float *window, const float *cosine, const float *sine,
                        const float *band, const float *height, const float *x, float *y)
{
    const int count = bands * frames;
    double mean = 0, squares = 0;
    for (int t = 0; t < frames; ++t)
        find_bands(frames, window_length, bands, least, window, cosine, sine, band, height,
                   x + t * hop, y + t);
    for (int i = 0; i < count; ++i)
        mean += (double)y[i] / count;
    for (int i = 0; i < count; ++i)
        squares += ((double)y[i] - mean) * ((double)y[i] - mean);
    const double scale = 1 / sqrt(squares / count + (double)epsilon);
    for (int i = 0; i < count; ++i)
        y[i] = (float)(((double)y[i] - mean) * scale);
}
